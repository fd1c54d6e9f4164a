import { testDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { followCell } from './follow-cell.js';

describe('following a cell', () => {
  let db: TestDatabase;
  let filledAt: number[];
  let errors: unknown[];

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });
  beforeEach(() => {
    [filledAt, errors] = [[], []];
  });

  const follow = (): Promise<() => Promise<void>> =>
    followCell({
      map: { place: () => Promise.resolve({ ok: true, value: 0 }) },
      ...{ cell: 'eu1', from: db.adminUrl },
      onFilled: () => filledAt.push(performance.now()),
      onError: (error) => errors.push(error),
    });

  it('reads it at most four times a second, however often it changes', async () => {
    const stop = await follow();
    try {
      // The first two readings are the one at the start and the one once it listens.
      await until(async () => {
        await db.owner.query("select pg_notify('countersign_tenant_route', '')");
        return filledAt.length >= 5;
      });
      const between = filledAt.slice(2).map((at, nth) => at - (filledAt[nth + 1] ?? 0));
      // A timer of Node may be up to a millisecond early.
      expect(Math.min(...between)).toBeGreaterThanOrEqual(249);
      expect(errors).toEqual([]);
    } finally {
      await stop();
    }
  });
});
