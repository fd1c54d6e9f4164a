import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { readAgain, readAllAgain } from './read-again.js';

/** A page that shows a query, and the readings of it in their order; each waits for its answer. */
function shownQuery(path = '/v1/halts') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  const readings: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  const queryFn = (): Promise<string> => new Promise((resolve, reject) => readings.push({ resolve, reject }));
  const page = new QueryObserver(queries, { queryKey: [path], queryFn });
  page.subscribe(() => undefined);
  return {
    queries,
    readings,
    shown: () => page.getCurrentResult().data,
    /** Answers the newest reading, and lets the page take it. */
    answer: async (text: string) => {
      readings.at(-1)?.resolve(text);
      await new Promise(setImmediate);
    },
    fail: async () => {
      readings.at(-1)?.reject(new Error('away'));
      await new Promise(setImmediate);
    },
  };
}

describe('reading again', () => {
  it('follows a first reading under way, whose answer may be older than the change', async () => {
    const { queries, readings, shown, answer } = shownQuery();
    const again = readAgain(queries, '/v1/halts');
    expect(readings).toHaveLength(1);
    await answer('before');
    expect(readings).toHaveLength(2);
    await answer('after');
    await again;
    expect(shown()).toBe('after');
  });

  it('shows each answer and reads once more for many changes, so that changes faster than answers hide nothing', async () => {
    const { queries, readings, shown, answer } = shownQuery();
    await answer('first');
    void readAgain(queries, '/v1/halts');
    for (let change = 0; change < 5; change += 1) void readAgain(queries, '/v1/halts');
    expect(readings).toHaveLength(2);
    await answer('second');
    expect([shown(), readings.length]).toEqual(['second', 3]);
    void readAllAgain(queries);
    await answer('third');
    expect([shown(), readings.length]).toEqual(['third', 4]);
    await answer('fourth');
    expect([shown(), readings.length]).toEqual(['fourth', 4]);
  });

  it('follows a reading that failed', async () => {
    const { queries, readings, shown, answer, fail } = shownQuery();
    void readAgain(queries, '/v1/halts');
    await fail();
    expect(readings).toHaveLength(2);
    await answer('after');
    expect(shown()).toBe('after');
  });

  it.each([
    ['/v1/halts', 2],
    ['/v1/halts/{id}', 2],
    ['/v1/halts-of-old', 1],
  ])('after a change of /v1/halts, has read %s %i times', async (path, times) => {
    const { queries, readings, answer } = shownQuery(path);
    await answer('first');
    void readAgain(queries, '/v1/halts');
    expect(readings).toHaveLength(times);
  });
});
