import { lockName, rowsOf } from '#lib/database';
import type { RowSeals, SealedRow, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import type { GrantKeyStore, SigningKey } from '../application/grant.ports.js';
import { newestKey, type GrantKeyRecord } from '../domain/grant-key.js';
import { grantKeyEntity } from './grant.entity.js';

/** The keys are the installation's, not a tenant's: this id is no tenant, and shows no tenant's row. */
const NO_TENANT = '00000000-0000-7000-8000-000000000000' as TenantId;

/** Serialises the making of keys: processes that see the same need at once agree on one. */
const NEW_KEY = 'countersign.grant-key';

const purposeOf = (kid: string): string => `grant-key:${kid}`;

/** Grant keys in PostgreSQL, table grant_key. A row that Countersign did not seal is no key: not published, never used. */
export class TypeormGrantKeyStore implements GrantKeyStore {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly wrapping: KeyWrapping,
    private readonly seals: RowSeals,
  ) {}

  async list(): Promise<{ readonly keys: readonly GrantKeyRecord[]; readonly now: number }> {
    return this.uow.run(NO_TENANT, async (tx) => ({ keys: await this.#authentic(tx), now: await tx.now() }));
  }

  async privateKey(kid: string): Promise<SigningKey> {
    const row = await this.uow.run(NO_TENANT, (tx) => rowsOf(tx, grantKeyEntity).findOne({ kid }));
    if (row === null) throw new Error(`There is no grant key ${kid}.`);
    const { wrappingKeyId: keyId, nonce, ciphertext } = row;
    return { kid, privateKey: await this.wrapping.unwrap(purposeOf(kid), { keyId, nonce, ciphertext }) };
  }

  async add(
    {
      privateKey,
      ...key
    }: { readonly publicJwk: GrantKeyRecord['publicJwk']; readonly kid: string; readonly privateKey: Uint8Array },
    activeFrom: number | null,
    after: string | null,
  ): Promise<void> {
    const { keyId: wrappingKeyId, nonce, ciphertext } = await this.wrapping.wrap(purposeOf(key.kid), privateKey);
    await this.uow.run(NO_TENANT, async (tx) => {
      await lockName(tx, NEW_KEY);
      const now = await tx.now();
      if ((newestKey(await this.#authentic(tx))?.kid ?? null) !== after) return;
      await rowsOf(tx, grantKeyEntity).insert({
        ...{ ...key, wrappingKeyId, nonce, ciphertext },
        ...{ createdAt: now, activeFrom: activeFrom ?? now, seal: await this.seals.seal(sealedKey(key)) },
      });
    });
  }

  async #authentic(tx: Tx): Promise<readonly GrantKeyRecord[]> {
    const rows = await rowsOf(tx, grantKeyEntity).find({}, { only: ['kid', 'publicJwk', 'activeFrom', 'seal'] });
    const keys: GrantKeyRecord[] = [];
    for (const { seal, ...key } of rows) if (await this.seals.holds(sealedKey(key), seal)) keys.push(key);
    return keys;
  }
}

/** From when it signs is nothing that the service may change. */
const sealedKey = ({ kid, publicJwk }: Omit<GrantKeyRecord, 'activeFrom'>): SealedRow => ({
  table: 'grant_key',
  tenantId: null,
  id: kid,
  columns: { public_jwk: { ...publicJwk } },
});
