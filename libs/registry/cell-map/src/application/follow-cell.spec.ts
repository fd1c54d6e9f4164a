import { newId, type TenantId } from '#lib/kernel';
import { passedWaits, passTimers } from '../../../../../test/support/passed-waits.js';
import { createCellMap } from '../create-cell-map.js';
import { FakeCellMap } from './fake-cell-map.js';
import { FakeServedTenants } from './fake-served-tenants.js';
import { until } from '../../../../../test/support/until.js';

/** Between two readings. */
passedWaits((ms) => ms === 250);

let cell: FakeServedTenants;
let added: number[];
let errors: unknown[];

beforeEach(() => {
  cell = new FakeServedTenants();
  [added, errors] = [[], []];
});
afterEach(() => {
  jest.restoreAllMocks();
});

const follow = (name = 'eu1') =>
  createCellMap({ map: new FakeCellMap(['eu1']), tenants: cell }).followCell.execute({
    ...{ cell: name, from: 'postgres://cell' },
    onFilled: (filled) => added.push(filled.added),
    onError: (error) => errors.push(error),
  });
const found = (slug: string): void => {
  cell.served = { ...cell.served, tenants: [...cell.served.tenants, { id: newId<TenantId>(), slug }] };
};

describe('following a cell', () => {
  it('reads it at the start and at each change, until it stops', async () => {
    found('acme');
    const stop = await follow();
    expect(added).toEqual([1]);
    found('globex');
    cell.tell();
    await until(() => added.length === 2);
    expect(added).toEqual([1, 1]);
    await stop();
    expect(cell.isWatched).toBe(false);
  });

  it('reads once more after changes during a reading', async () => {
    const stop = await follow();
    let answer = (): void => undefined;
    cell.answers = new Promise((resolve) => {
      answer = resolve;
    });
    cell.tell();
    await until(() => cell.readings === 2);
    found('acme');
    cell.tell();
    cell.tell();
    answer();
    await until(() => added.length === 3);
    await stop();
    expect([cell.readings, added]).toEqual([3, [0, 1, 0]]);
  });

  it('tells of a reading that failed, and reads again without a change', async () => {
    passTimers(5_000);
    const stop = await follow();
    const away = new Error('away');
    cell.failure = away;
    cell.tell();
    await until(() => errors.length > 0);
    expect(errors[0]).toBe(away);
    cell.failure = null;
    await until(() => added.length > 1);
    await stop();
  });

  it('fails at once, and follows nothing, if the first reading fails', async () => {
    await expect(follow('mars')).rejects.toThrow('cell_map.unknown_cell');
    expect(cell.isWatched).toBe(false);
  });
});
