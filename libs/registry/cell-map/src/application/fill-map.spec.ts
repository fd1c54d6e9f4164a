import { newId, type TenantId } from '#lib/kernel';
import type { PlacedTenant } from './cell-map.ports.js';
import { FakeCellMap } from './fake-cell-map.js';
import { FakeServedTenants } from './fake-served-tenants.js';
import { FillMap } from './fill-map.js';

let map: FakeCellMap;
let cell: FakeServedTenants;

beforeEach(() => {
  map = new FakeCellMap(['eu1', 'us1']);
  cell = new FakeServedTenants();
});

const tenant = (slug: string): PlacedTenant => ({ id: newId<TenantId>(), slug });
const teamOf = ({ id }: PlacedTenant, teamId = 'T1') => ({ appId: 'A1', teamId, tenantId: id });
const fill = (name = 'eu1') => new FillMap(map, cell).execute(name, 'postgres://cell');
const placed = async () => {
  const { rows } = await map.read();
  return rows.tenants.map((row) => `${row.slug} ${row.cell}`).sort();
};
const teams = async () => (await map.read()).rows.teams;

describe('a filling of the map', () => {
  it('adds the tenants and workspaces of a cell, and writes nothing if all are there', async () => {
    const acme = tenant('acme');
    cell.served = { tenants: [acme], teams: [teamOf(acme)] };
    expect(await fill()).toEqual({ served: 1, added: 1, removed: 0, taken: [] });
    expect([await placed(), await teams()]).toEqual([['acme eu1'], [teamOf(acme)]]);
    const { writes } = map;
    expect(await fill()).toEqual({ served: 1, added: 0, removed: 0, taken: [] });
    expect(map.writes).toBe(writes);
  });

  it('leaves out a tenant whose slug another cell holds, and places the others', async () => {
    cell.served = { tenants: [tenant('acme')], teams: [] };
    await fill('us1');
    cell.served = { tenants: [tenant('acme'), tenant('globex')], teams: [] };
    expect(await fill()).toEqual({ served: 2, added: 1, removed: 0, taken: ['acme'] });
    expect(await placed()).toEqual(['acme us1', 'globex eu1']);
  });

  it('leaves a tenant and its workspaces in the cell to which they moved', async () => {
    const acme = tenant('acme');
    cell.served = { tenants: [acme], teams: [teamOf(acme)] };
    await fill('us1');
    cell.served = { tenants: [{ ...acme, slug: 'other' }], teams: [] };
    expect(await fill()).toMatchObject({ added: 0, removed: 0, taken: [] });
    expect([await placed(), await teams()]).toEqual([['acme us1'], [teamOf(acme)]]);
  });

  it('follows slugs that tenants of one cell pass on', async () => {
    const [one, two] = [tenant('one'), tenant('two')];
    cell.served = { tenants: [one, two], teams: [] };
    await fill();
    cell.served = {
      tenants: [
        { ...one, slug: 'two' },
        { ...two, slug: 'three' },
      ],
      teams: [],
    };
    expect(await fill()).toEqual({ served: 2, added: 0, removed: 0, taken: [] });
    expect(await placed()).toEqual(['three eu1', 'two eu1']);
  });

  it('takes out workspaces that a tenant of the cell no longer has', async () => {
    const acme = tenant('acme');
    cell.served = { tenants: [acme], teams: [teamOf(acme), teamOf(acme, 'T2')] };
    await fill();
    cell.served = { tenants: [acme], teams: [teamOf(acme)] };
    expect(await fill()).toEqual({ served: 1, added: 0, removed: 1, taken: [] });
    expect(await teams()).toEqual([teamOf(acme)]);
  });

  it('fails for a cell that the map does not know, also without tenants, and if the cell does not answer', async () => {
    await expect(fill('mars')).rejects.toThrow('cell_map.unknown_cell');
    cell.failure = new Error('away');
    await expect(fill()).rejects.toThrow('away');
  });
});
