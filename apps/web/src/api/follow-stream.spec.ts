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

it('waits as long as Retry-After says, and begins its pauses anew once a stream opened', async () => {
  const answers = [
    () => Promise.reject(new TypeError('lost')),
    () => Promise.reject(new TypeError('lost')),
    () => Promise.resolve(new Response(null, { status: 429, headers: { 'retry-after': '7' } })),
    () => Promise.resolve(new Response('')),
    () => Promise.resolve(new Response('event: end\ndata: 1\n\n')),
  ].values();
  const pauses: unknown[] = [];
  // Timers of others, such as the leftovers of another file, run as they are.
  const real = globalThis.setTimeout;
  const mocks = [
    jest.spyOn(Math, 'random').mockReturnValue(0),
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => answers.next().value?.() ?? Promise.reject(new Error())),
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((resume, pause) => {
      if (![200, 400, 7_000].includes(pause ?? 0)) return real(resume, pause);
      pauses.push(pause);
      return setImmediate(resume) as never;
    }),
  ];
  await followStream({ path: '/events', onData: () => null, signal: new AbortController().signal });
  for (const mock of mocks) mock.mockRestore();
  expect(pauses).toEqual([200, 400, 7_000, 200]);
});
