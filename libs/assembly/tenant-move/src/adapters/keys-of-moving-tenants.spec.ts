import { newId, type TenantId } from '#lib/kernel';
import { ENCRYPTED_VALUES, type StoredRow } from '../domain/encrypted-values.js';
import { keysOfMovingTenants } from './keys-of-moving-tenants.js';
import type { TargetKeys } from './serve-receiver.js';

const [arrives, lives] = [newId<TenantId>(), newId<TenantId>()];
const KEY = new Uint8Array([1]);
const WRAPPED = { keyId: 'k1', nonce: KEY, ciphertext: KEY };
const code = { failure: { code: 'tenant_move.arrives_not' } };

describe('the keys of the target', () => {
  const used: string[] = [];
  const use =
    <T>(what: string, value: T) =>
    (): Promise<T> => {
      used.push(what);
      return Promise.resolve(value);
    };
  const all: TargetKeys = {
    identity: 'b',
    reachedDatabase: use('reachedDatabase', null),
    wrap: use('wrap', WRAPPED),
    unwrap: use('unwrap', KEY),
    addMoved: use('moved', undefined),
    keepSigningKey: use('signing', undefined),
    startEpoch: use('epoch', 2),
  };
  const keys = keysOfMovingTenants(all, () => Promise.resolve([arrives]), ['secret-digest']);
  beforeEach(() => {
    used.length = 0;
  });

  const asked = (of: TenantId): readonly (readonly [string, () => Promise<unknown>])[] => [
    ['wrap', () => keys.wrap(`countersign:embedder:v1:${of}:${newId()}`, KEY)],
    ['unwrap', () => keys.unwrap(`runner-output:${of}:${newId()}`, WRAPPED)],
    ['moved', () => keys.addMoved([{ purpose: `row-seal:${of}`, id: 'k1', key: KEY }])],
    ['signing', () => keys.keepSigningKey(of, 'audit-1', KEY)],
    ['epoch', () => keys.startEpoch({ tenantId: of, moveId: newId(), closed: 1, reason: 'moved' })],
  ];

  it('serve a tenant that arrives', async () => {
    for (const [what, ask] of asked(arrives)) {
      await ask();
      expect(used.splice(0)).toEqual([what]);
    }
  });

  it.each(ENCRYPTED_VALUES)('serve it for each encrypted value: $table', async ({ purpose }) => {
    // Any column of a row may hold the id of another tenant.
    const row = (id: TenantId): StoredRow => new Proxy({}, { get: (_row, column) => (column === 'version' ? 1 : id) });
    await keys.wrap(purpose(arrives, row(lives)), KEY);
    await expect(keys.wrap(purpose(lives, row(arrives)), KEY)).rejects.toMatchObject(code);
    expect(used).toEqual(['wrap']);
  });

  it('serve no tenant that lives there', async () => {
    for (const [, ask] of asked(lives)) await expect(ask()).rejects.toMatchObject(code);
    expect(used).toEqual([]);
  });

  it.each([
    ['the installation itself', 'row-seal:installation'],
    ['a tenant that lives there, with the id of the other behind it', `row-seal:${lives}:${arrives}`],
    ['nobody', ''],
    ['a secret without a name', 'countersign:secret:v1\n{'],
  ])('serve no purpose of %s', async (_whose, purpose) => {
    const added = keys.addMoved([
      { purpose: `row-seal:${arrives}`, id: 'k1', key: KEY },
      { purpose, id: 'k2', key: KEY },
    ]);
    await expect(added).rejects.toMatchObject(code);
    await expect(keys.wrap(purpose, KEY)).rejects.toMatchObject(code);
    expect(used).toEqual([]);
  });

  it('take the keys of token digests, which belong to no tenant, with an arriving tenant, and encrypt nothing for them', async () => {
    const digests = { purpose: 'secret-digest', id: 'k1', key: KEY };
    for (const alone of [[digests], []]) await expect(keys.addMoved(alone)).rejects.toMatchObject(code);
    expect(used).toEqual([]);
    await keys.addMoved([{ purpose: `row-seal:${arrives}`, id: 'k1', key: KEY }, digests]);
    await expect(keys.wrap('secret-digest', KEY)).rejects.toMatchObject(code);
    expect(used).toEqual(['moved']);
  });
});
