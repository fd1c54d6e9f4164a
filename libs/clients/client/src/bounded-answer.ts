/** The longest answer that is kept in memory, in bytes: Countersign takes no longer body either. */
export const MAX_ANSWER = 64 * 1_048_576;

/** An answer, or an event of a stream, is longer than its reader keeps. */
export class AnswerTooLong extends Error {
  constructor(most: number, part: 'answer' | 'event' = 'answer') {
    super(`The ${part} is longer than ${String(most)} bytes.`);
    this.name = 'AnswerTooLong';
  }
}

/** The same answer. Its reading fails with {@link AnswerTooLong} beyond so many bytes. */
export function boundedAnswer(answer: Response, most = MAX_ANSWER): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > most) throw new AnswerTooLong(most);
      controller.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(counter) ?? null, answer);
}
