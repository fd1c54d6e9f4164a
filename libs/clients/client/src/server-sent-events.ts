import { EventSourceParserStream, ParseError, type EventSourceMessage } from 'eventsource-parser/stream';
import { AnswerTooLong, MAX_ANSWER } from './bounded-answer.js';

/**
 * The server-sent events of an answer (WHATWG HTML, section 9.2), until the answer ends or the caller leaves the loop.
 *
 * @param longest the characters of an event.
 * @throws {AnswerTooLong} if an event is longer.
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  longest = MAX_ANSWER,
): AsyncGenerator<EventSourceMessage, void> {
  const parser = new EventSourceParserStream({ maxBufferSize: longest });
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    const long = cause instanceof ParseError && cause.type === 'max-buffer-size-exceeded';
    throw long ? new AnswerTooLong(longest, 'event') : cause;
  } finally {
    // A broken stream refuses this too; the error of its reading is the one to tell.
    await reader.cancel().catch(() => undefined);
  }
}
