import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ReadStatistics } from './read-statistics.js';

const DAY_MS = 86_400_000;

describe('the period of the statistics', () => {
  it.each<[string, number | null, number | null, (now: number) => { readonly from: number; readonly until: number }]>([
    ['the last 30 days', null, null, (now) => ({ from: now - 30 * DAY_MS, until: now })],
    ['the 30 days before the end', null, 40 * DAY_MS, () => ({ from: 10 * DAY_MS, until: 40 * DAY_MS })],
    ['from the beginning to now', 5, null, (now) => ({ from: 5, until: now })],
    ['the whole of it', 5, 6, () => ({ from: 5, until: 6 })],
  ])('is %s if from is %p and until is %p', async (_what, from, until, expected) => {
    const { uow, home } = fakeWorld();
    const asked: unknown[] = [];
    const reading = new ReadStatistics(uow, {
      read: (_tx, by, period) => {
        asked.push([by, period]);
        return Promise.resolve([]);
      },
    });
    const period = expected(uow.now);
    expect(await reading.execute(home.admin, 'agent', { from, until })).toEqual({ period, statistics: [] });
    expect(asked).toEqual([['agent', period]]);
  });
});
