import { z } from 'zod';
import { parsedValue, sqlOf } from '#lib/database';
import type { RowSeals, SealedRow, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import type { GrantKeyStore, SigningKey } from '../application/grant.ports.js';
import { newestKey, type GrantKeyRecord } from '../domain/grant-key.js';

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: unknown;
  readonly wrapping_key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly active_from: Date;
  readonly seal: string;
}

const jwkSchema: z.ZodType<GrantKeyRecord['publicJwk']> = z.strictObject({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
});

/** The keys are the installation's, not a tenant's: this id is no tenant, and shows no tenant's row. */
const NO_TENANT = '00000000-0000-7000-8000-000000000000' as TenantId;

/** Serialises the making of keys: processes that see the same need at once agree on one. */
const NEW_KEY_LOCK = 7_203_114;

const purposeOf = (kid: string): string => `grant-key:${kid}`;

/** Grant keys in PostgreSQL, table grant_key. A row that Countersign did not seal is no key: not published, never used. */
export class SqlGrantKeyStore implements GrantKeyStore {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly wrapping: KeyWrapping,
    private readonly seals: RowSeals,
  ) {}

  async list(): Promise<{ readonly keys: readonly GrantKeyRecord[]; readonly now: number }> {
    return this.uow.run(NO_TENANT, async (tx) => ({ keys: await this.#authentic(tx), now: await tx.now() }));
  }

  async privateKey(kid: string): Promise<SigningKey> {
    const [row] = await this.uow.run(NO_TENANT, (tx) =>
      sqlOf(tx).query<KeyRow>('select wrapping_key_id, nonce, ciphertext from grant_key where kid = $1', [kid]),
    );
    if (row === undefined) throw new Error(`There is no grant key ${kid}.`);
    const wrapped = { keyId: row.wrapping_key_id, nonce: row.nonce, ciphertext: row.ciphertext };
    return { kid, privateKey: await this.wrapping.unwrap(purposeOf(kid), wrapped) };
  }

  async add(
    key: { readonly publicJwk: GrantKeyRecord['publicJwk']; readonly kid: string; readonly privateKey: Uint8Array },
    activeFrom: number | null,
    after: string | null,
  ): Promise<void> {
    const wrapped = await this.wrapping.wrap(purposeOf(key.kid), key.privateKey);
    await this.uow.run(NO_TENANT, async (tx) => {
      await sqlOf(tx).query('select pg_advisory_xact_lock($1)', [NEW_KEY_LOCK]);
      const now = await tx.now();
      if ((newestKey(await this.#authentic(tx))?.kid ?? null) !== after) return;
      await sqlOf(tx).execute(
        `insert into grant_key (kid, public_jwk, wrapping_key_id, nonce, ciphertext, created_at, active_from, seal)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          key.kid,
          JSON.stringify(key.publicJwk),
          wrapped.keyId,
          Buffer.from(wrapped.nonce),
          Buffer.from(wrapped.ciphertext),
          new Date(now),
          new Date(activeFrom ?? now),
          await this.seals.seal(sealedKey(key)),
        ],
      );
    });
  }

  async #authentic(tx: Tx): Promise<readonly GrantKeyRecord[]> {
    const rows = await sqlOf(tx).query<KeyRow>('select kid, public_jwk, active_from, seal from grant_key');
    const keys: GrantKeyRecord[] = [];
    for (const row of rows) {
      const publicJwk = parsedValue(jwkSchema, row.public_jwk, {
        table: 'grant_key',
        column: 'public_jwk',
        id: row.kid,
      });
      const record = { kid: row.kid, publicJwk, activeFrom: row.active_from.getTime() };
      if (await this.seals.holds(sealedKey(record), row.seal)) keys.push(record);
    }
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
