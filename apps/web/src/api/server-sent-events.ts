/** One event of a stream (WHATWG HTML, server-sent events). */
export interface ServerSentEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Reads a block of lines; null for one without data, a comment mostly. */
export function parseEvent(block: string): ServerSentEvent | null {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return colon < 0
      ? ([line, ''] as const)
      : ([line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const);
  });
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
  if (data.length === 0) return null;
  const last = (wanted: string): string | undefined => fields.findLast(([name]) => name === wanted)?.[1];
  return { id: last('id') ?? null, event: last('event') ?? 'message', data: data.join('\n') };
}

const AGAIN_MS = 1_000;

interface Following {
  readonly path: string;
  readonly onEvent: (event: ServerSentEvent) => void;
  readonly signal: AbortSignal;
}

/** Follows a stream whose events have names of their own; goes on after the last one when the connection is lost, until `end`. */
export async function followStream({ path, onEvent, signal }: Following): Promise<void> {
  let last = null as string | null;
  while (!signal.aborted) {
    try {
      const response: Response = await fetch(path, {
        headers: { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) },
        signal,
      });
      if (response.status >= 400 && response.status < 500) return;
      for await (const event of eventsOf(response)) {
        if (event.event === 'end') return;
        last = event.id ?? last;
        onEvent(event);
      }
    } catch {
      // Lost, or given up; the loop tells which.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function* eventsOf(response: Response): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (unread + value).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== null) yield event;
    }
  }
}
