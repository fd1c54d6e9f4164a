import { randomBytes } from 'node:crypto';
import type { SealedRow } from '#lib/kernel';
import { DerivedKeys } from './derived-keys.js';
import { KeyringRowSeals } from './keyring-row-seals.js';

const row: SealedRow = {
  table: 'review',
  tenantId: 'acme',
  id: '1',
  columns: { verdict: 'approve', at: 5, roles: ['a'] },
};

/** Seals under a keyring, and the broken rows that they reported. The test changes the keys. */
function world(): { seals: KeyringRowSeals; keys: Map<string, Uint8Array>; later: () => void; told: SealedRow[] } {
  const keys = new Map<string, Uint8Array>([['k1', randomBytes(32)]]);
  const told: SealedRow[] = [];
  let now = 0;
  const ring = () => Promise.resolve({ current: [...keys.keys()].at(-1) ?? '', keys: new Map(keys) });
  const unasked = () => Promise.reject(new Error('not asked'));
  const derived = new DerivedKeys({ ring, current: unasked, byId: unasked }, () => now);
  const later = () => {
    now += 5_000;
  };
  return { seals: new KeyringRowSeals(derived, (broken) => told.push(broken)), keys, later, told };
}

describe('a seal', () => {
  it('holds for its own row, in any order of its columns', async () => {
    const { seals, told } = world();
    const seal = await seals.seal(row);
    expect(seal).toMatch(/^k1\.[A-Za-z0-9_-]{43}$/);
    expect(await seals.holds({ ...row, columns: { roles: ['a'], at: 5, verdict: 'approve' } }, seal)).toBe(true);
    expect(told).toEqual([]);
  });

  it.each<[string, Partial<SealedRow>]>([
    ['table', { table: 'run' }],
    ['tenant', { tenantId: 'globex' }],
    ['tenant, or none', { tenantId: null }],
    ['id', { id: '2' }],
    ['column', { columns: { ...row.columns, verdict: 'reject' } }],
    ['type of a column', { columns: { ...row.columns, at: '5' } }],
    ['column more', { columns: { ...row.columns, more: null } }],
  ])('does not hold for another %s, and tells', async (_what, change) => {
    const { seals, told } = world();
    const seal = await seals.seal(row);
    expect(await seals.holds({ ...row, ...change }, seal)).toBe(false);
    expect(told).toEqual([{ ...row, ...change }]);
  });

  it.each([
    null,
    '',
    'k1',
    `k1.${'A'.repeat(43)}`,
    `k2.${'A'.repeat(43)}`,
    `k1.${'A'.repeat(44)}`,
    `.${'A'.repeat(43)}`,
  ])('is not %j', async (seal) => {
    const { seals, told } = world();
    expect(await seals.holds(row, seal)).toBe(false);
    expect(told).toHaveLength(1);
  });

  it('holds on after a new key, and no longer once its own is gone', async () => {
    const { seals, keys, later } = world();
    const seal = await seals.seal(row);
    keys.set('k2', randomBytes(32));
    later();
    expect(await seals.holds(row, seal)).toBe(true);
    expect(await seals.seal(row)).toMatch(/^k1\./);
    later();
    expect(await seals.seal(row)).toMatch(/^k2\./);
    keys.delete('k1');
    later();
    expect(await seals.holds(row, seal)).toBe(false);
  });
});
