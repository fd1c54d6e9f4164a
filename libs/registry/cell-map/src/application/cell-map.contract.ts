import { newId, type TenantId } from '#lib/kernel';
import type { PlacedTenant } from './cell-map.ports.js';
import type { FilledMap } from './fill-map.js';

/** A map with the cells `eu1` and `us1`, and nothing else. */
export function cellMapContract(opened: () => Promise<FilledMap>): void {
  let map: FilledMap;

  beforeEach(async () => {
    map = await opened();
  });

  const tenant = (slug: string): PlacedTenant => ({ id: newId<TenantId>(), slug });
  const teamOf = ({ id }: PlacedTenant) => ({ appId: 'A1', teamId: 'T1', tenantId: id });
  const placed = async () => (await map.read()).rows.tenants.map(({ slug, cell }) => `${slug} ${cell}`).sort();
  const teams = async () => (await map.read()).rows.teams;

  it('places tenants with their workspaces, and counts those that are new', async () => {
    const acme = tenant('acme');
    expect(await map.place('eu1', [acme], [teamOf(acme)])).toEqual({ ok: true, value: 1 });
    expect(await map.place('eu1', [{ ...acme, slug: 'other' }], [])).toEqual({ ok: true, value: 0 });
    expect([await placed(), await teams()]).toEqual([['other eu1'], [teamOf(acme)]]);
  });

  it('leaves a tenant of another cell there as it is, with its workspaces', async () => {
    const [acme, globex] = [tenant('acme'), tenant('globex')];
    await map.place('us1', [acme], [teamOf(acme)]);
    expect(await map.place('eu1', [{ ...acme, slug: 'other' }, globex], [teamOf(globex)])).toEqual({
      ok: true,
      value: 1,
    });
    expect(await map.removeTeams('eu1', [teamOf(acme)])).toBe(0);
    expect([await placed(), await teams()]).toEqual([['acme us1', 'globex eu1'], [teamOf(acme)]]);
  });

  it('passes a workspace on within a cell, and takes it out for its tenant alone', async () => {
    const [acme, globex] = [tenant('acme'), tenant('globex')];
    await map.place('eu1', [acme, globex], [teamOf(acme)]);
    await map.place('eu1', [], [teamOf(globex)]);
    expect(await map.removeTeams('eu1', [teamOf(acme)])).toBe(0);
    expect(await teams()).toEqual([teamOf(globex)]);
    expect(await map.removeTeams('eu1', [teamOf(globex)])).toBe(1);
    expect(await teams()).toEqual([]);
  });

  it('refuses an unknown cell, and places nothing if one slug is taken', async () => {
    await map.place('us1', [tenant('acme')], []);
    const refused = (code: string) => ({ ok: false, error: { code } });
    expect(await map.place('mars', [], [])).toMatchObject(refused('cell_map.unknown_cell'));
    expect(await map.place('eu1', [tenant('globex'), tenant('acme')], [])).toMatchObject(refused('cell_map.taken'));
    expect(await placed()).toEqual(['acme us1']);
  });
}
