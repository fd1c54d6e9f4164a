import { passedWaits } from '../../../../../test/support/passed-waits.js';
import { pinging } from './pinging.js';

passedWaits();

describe('the question whether the database answers', () => {
  it('has the answer of the statement, or its error', async () => {
    await expect(pinging(() => Promise.resolve([]))()).resolves.toBeUndefined();
    await expect(pinging(() => Promise.reject(new Error('refused')))()).rejects.toThrow('refused');
  });

  it('is answered with no after a while by a server that is silent, and asked once until then', async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const ping = pinging(() => {
      asked += 1;
      return new Promise<void>((resolve) => (answer = resolve));
    });
    for (const _probe of [1, 2, 3])
      await expect(ping()).rejects.toMatchObject({ failure: { code: 'database.unavailable' } });
    expect(asked).toBe(1);
    answer();
    await new Promise(setImmediate);
    await expect(ping()).rejects.toMatchObject({ failure: { code: 'database.unavailable' } });
    expect(asked).toBe(2);
  });
});
