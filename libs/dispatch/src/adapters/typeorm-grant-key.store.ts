import { sqlOf } from '#lib/database';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import type { GrantKeyStore, SigningKey } from '../application/grant.ports.js';
import type { GrantKeyRecord } from '../domain/grant-key.js';

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: GrantKeyRecord['publicJwk'];
  readonly wrapping_key_id: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly active_from: Date;
}

/** The keys are the installation's, not a tenant's: this id is no tenant, and shows no tenant's row. */
const NO_TENANT = '00000000-0000-7000-8000-000000000000' as TenantId;

/** Serialises the making of keys: processes that see the same need at once agree on one. */
const NEW_KEY_LOCK = 7_203_114;

const purposeOf = (kid: string): string => `grant-key:${kid}`;

/** Grant keys in PostgreSQL, table grant_key. */
export class TypeormGrantKeyStore implements GrantKeyStore {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly wrapping: KeyWrapping,
  ) {}

  async list(): Promise<{ readonly keys: readonly GrantKeyRecord[]; readonly now: number }> {
    return this.unitOfWork.run(NO_TENANT, async (tx) => {
      const rows = await sqlOf(tx).query<KeyRow>('select kid, public_jwk, active_from from grant_key');
      const keys = rows.map((row) => ({
        kid: row.kid,
        publicJwk: row.public_jwk,
        activeFrom: row.active_from.getTime(),
      }));
      return { keys, now: await tx.now() };
    });
  }

  async privateKey(kid: string): Promise<SigningKey> {
    const [row] = await this.unitOfWork.run(NO_TENANT, (tx) =>
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
    await this.unitOfWork.run(NO_TENANT, async (tx) => {
      await sqlOf(tx).query('select pg_advisory_xact_lock($1)', [NEW_KEY_LOCK]);
      const now = await tx.now();
      const [newest] = await sqlOf(tx).query<{ kid: string }>(
        'select kid from grant_key order by active_from desc, kid limit 1',
      );
      if ((newest?.kid ?? null) !== after) return;
      await sqlOf(tx).execute(
        `insert into grant_key (kid, public_jwk, wrapping_key_id, nonce, ciphertext, created_at, active_from)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          key.kid,
          JSON.stringify(key.publicJwk),
          wrapped.keyId,
          Buffer.from(wrapped.nonce),
          Buffer.from(wrapped.ciphertext),
          new Date(now),
          new Date(activeFrom ?? now),
        ],
      );
    });
  }
}
