import { followStream } from './follow-stream.js';

it('ends at an event that is longer than it keeps, and does not ask for it again', async () => {
  const megabyte = new Uint8Array(1_048_576).fill(120);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('data: 1\n\ndata: '));
    },
    pull: (controller) => {
      controller.enqueue(megabyte);
    },
  });
  const gone = new AbortController();
  const asked = jest.spyOn(globalThis, 'fetch').mockImplementation(() => {
    if (asked.mock.calls.length > 1) gone.abort();
    return Promise.resolve(new Response(body));
  });
  const seen: string[] = [];
  const followed = followStream({ path: '/events', onData: (data) => seen.push(data), signal: gone.signal });
  await expect(followed).rejects.toMatchObject({
    code: 'web.event_too_long',
    message: 'The event is longer than 67108864 bytes.',
  });
  expect(asked).toHaveBeenCalledTimes(1);
  expect(seen).toEqual(['1']);
  asked.mockRestore();
});
