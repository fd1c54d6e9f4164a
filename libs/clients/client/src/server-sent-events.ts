import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';

/** The server-sent events of an answer (WHATWG HTML, section 9.2), until the answer ends or the caller leaves the loop. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<EventSourceMessage, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A broken stream refuses this too; the error of its reading is the one to tell.
    await reader.cancel().catch(() => undefined);
  }
}
