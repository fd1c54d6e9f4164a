import { routingHintOf } from '#lib/formats';
import { newId, type TenantId } from '#lib/kernel';
import { Cells } from './cells.js';

const tenant = newId<TenantId>();
const map = new Cells({
  cells: [
    { name: 'eu2', url: 'http://eu2', isDefault: false },
    { name: 'eu1', url: 'http://eu1', isDefault: true },
  ],
  tenants: [{ id: tenant, slug: 'acme', host: 'acme.example', cell: 'eu2' }],
  teams: [
    { appId: 'A1', teamId: 'T1', tenantId: tenant },
    { appId: 'A2', teamId: 'T1', tenantId: newId<TenantId>() },
  ],
});

describe('the map of cells', () => {
  it.each([
    ['its hint', { by: 'hint', hint: routingHintOf(tenant) }],
    ['its slug', { by: 'slug', slug: 'acme' }],
    ['its host', { by: 'host', host: 'acme.example' }],
    ['its Slack app', { by: 'slack', app: 'A1', team: 'T1' }],
  ] as const)('finds the cell of a tenant by %s', (_name, clue) => {
    expect(map.find(clue)?.name).toBe('eu2');
  });

  it.each([
    ['no clue', null],
    ['an unknown hint', { by: 'hint', hint: 'aaaaaaaaaa' }],
    ['an unknown slug', { by: 'slug', slug: 'nobody' }],
    ['the app of another tenant in the same workspace', { by: 'slack', app: 'A2', team: 'T1' }],
  ] as const)('sends a request with %s to the default cell', (_name, clue) => {
    expect(map.find(clue)?.name).toBe('eu1');
  });

  it('has no answer without a default cell', () => {
    expect(new Cells({ cells: [], tenants: [], teams: [] }).find(null)).toBeNull();
  });
});
