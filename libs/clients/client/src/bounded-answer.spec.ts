import { AnswerTooLong, boundedAnswer } from './bounded-answer.js';

/** An answer without end, and how many of its pieces were taken. */
function endless() {
  const taken = { pieces: 0, ended: false };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      taken.pieces += 1;
      controller.enqueue(new Uint8Array(1_000));
    },
    cancel: () => {
      taken.ended = true;
    },
  });
  return { taken, answer: new Response(body) };
}

it('reads no further than the bound, and ends the answer there', async () => {
  const { taken, answer } = endless();
  await expect(boundedAnswer(answer, 4_500).text()).rejects.toThrow(new AnswerTooLong(4_500));
  expect(taken.ended).toBe(true);
  expect(taken.pieces).toBeLessThan(10);
});

it('leaves an answer within the bound as it is', async () => {
  const answer = new Response('{"a":1}', { status: 409, statusText: 'Conflict', headers: { 'retry-after': '1' } });
  const bounded = boundedAnswer(answer, 7);
  expect([bounded.status, bounded.statusText, bounded.headers.get('retry-after')]).toEqual([409, 'Conflict', '1']);
  await expect(bounded.json()).resolves.toEqual({ a: 1 });
  expect(boundedAnswer(new Response(null, { status: 204 })).body).toBeNull();
});
