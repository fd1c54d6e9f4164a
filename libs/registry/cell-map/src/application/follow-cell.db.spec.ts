import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { fallingSilent, type FallingSilent } from '../../../../../test/support/falling-silent.js';
import { until } from '../../../../../test/support/until.js';
import { SqlServedTenants } from '../adapters/sql-served-tenants.js';
import { createCellMap, createServedTenants } from '../create-cell-map.js';
import { Cells } from '../domain/cells.js';

const NOTHING = { cells: [], tenants: [], teams: [] };

describe('following a cell', () => {
  let db: TestDatabase;
  let filledAt: number[];
  let errors: unknown[];
  let cell: FallingSilent;

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });
  beforeEach(async () => {
    [filledAt, errors] = [[], []];
    cell = await fallingSilent(db.adminUrl);
  });
  afterEach(async () => {
    await cell.close();
  });

  const tell = (): Promise<unknown> => db.owner.query("select pg_notify('countersign_tenant_route', '')");
  const follow = (): Promise<() => Promise<void>> =>
    createCellMap({
      map: {
        read: () => Promise.resolve(new Cells(NOTHING)),
        place: () => Promise.resolve({ ok: true, value: 0 }),
        removeTeams: () => Promise.resolve(0),
      },
      tenants: createServedTenants(),
    }).followCell.execute({
      ...{ cell: 'eu1', from: cell.url },
      onFilled: () => filledAt.push(performance.now()),
      onError: (error) => errors.push(error),
    });

  it('reads it at most four times a second, however often it changes', async () => {
    const stop = await follow();
    try {
      // The first two readings are the one at the start and the one once it listens.
      await until(async () => {
        await tell();
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

  it('gives up a reading that the cell does not answer', async () => {
    cell.at('from slack_installation');
    await expect(new SqlServedTenants(100).read(cell.url)).rejects.toThrow('Query read timeout');
  });

  it('stops at once in the middle of a reading that the cell does not answer', async () => {
    const stop = await follow();
    await until(() => filledAt.length === 2);
    cell.at('from slack_installation');
    await tell();
    await until(() => cell.silent);
    await stop();
    // The time limit of the statement would have been told.
    expect(errors).toEqual([]);
  });
});
