import { AnswerTooLong } from './bounded-answer.js';
import { eventsOf } from './server-sent-events.js';

/** A body that arrives in these pieces. */
const bodyOf = (...pieces: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of eventsOf(body)) events.push(event);
  return events;
}

describe('the events of an answer', () => {
  it('break the stream if one is longer than the caller keeps', async () => {
    const events = eventsOf(bodyOf('data: short\n\n', `data: ${'x'.repeat(20)}`, 'x'.repeat(20)), 30);
    await expect(events.next()).resolves.toMatchObject({ value: { data: 'short' } });
    await expect(events.next()).rejects.toThrow(new AnswerTooLong(30, 'event'));
  });

  it('have their id, name and data, however the answer is cut', async () => {
    const body = bodyOf(
      'id: 4\neve',
      'nt: run.started\ndata: {"a":1}\n',
      '\n: nothing new\n\ndata: one\ndata: two\n\n',
    );
    expect(await read(body)).toEqual([
      { id: '4', event: 'run.started', data: '{"a":1}' },
      { id: undefined, event: undefined, data: 'one\ntwo' },
    ]);
  });

  it('leave out an event that the end of the answer cuts off', async () => {
    expect(await read(bodyOf('data: whole\n\ndata: ha'))).toMatchObject([{ data: 'whole' }]);
  });

  it('cancel the answer if nobody reads on', async () => {
    let cancel: (reason: string) => void = () => undefined;
    const cancelled = new Promise<string>((resolve) => {
      cancel = resolve;
    });
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('data: more\n\n'));
      },
      cancel: () => {
        cancel('cancelled');
      },
    });
    for await (const { data } of eventsOf(body)) if (data === 'more') break;
    await expect(cancelled).resolves.toBe('cancelled');
  });
});
