import { AnswerTooLong, eventsOf } from '#lib/client';
import { after } from './after.js';

const AGAIN_MS = 1_000;

interface Following {
  readonly path: string;
  readonly onData: (data: string) => void;
  readonly signal: AbortSignal;
}

/** Follows a stream until its event `end`, or one that is too long. After a lost connection it goes on from the last event. */
export async function followStream({ path, onData, signal }: Following): Promise<void> {
  let last = null as string | null;
  while (!signal.aborted) {
    try {
      const response: Response = await fetch(path, {
        headers: { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) },
        signal,
      });
      if (response.status >= 400 && response.status < 500) return;
      const events = response.body === null ? [] : eventsOf(response.body);
      for await (const { id, event, data } of events) {
        if (event === 'end') return;
        last = id ?? last;
        onData(data);
      }
    } catch (error) {
      // It would be as long again.
      if (error instanceof AnswerTooLong) return;
      // The connection was lost, or the caller gave up; the loop tells which.
    }
    await after(AGAIN_MS);
  }
}
