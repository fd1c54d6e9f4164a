import type { CredentialRepository } from '#lib/identity';
import type { CredentialId, PersonId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';

type Credential = Parameters<CredentialRepository['insert']>[1];

/** A credential with the digest of its token. */
export interface CredentialRow extends Credential {
  readonly digest: Uint8Array;
}

const unused = (): Promise<never> => Promise.reject(new Error('signing in does not ask this of credentials'));

/** Keeps credentials in memory, as far as signing in writes them. */
export class FakeCredentials implements CredentialRepository {
  readonly #rows: FakeTable<CredentialRow>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  insert(tx: Tx, credential: Credential, digest: Uint8Array): Promise<void> {
    if (this.row(tx, credential.id)) return Promise.reject(new FakeRefusal('23505', 'credential_pk'));
    this.#rows.of(tx).set(credential.id, { ...credential, digest });
    return Promise.resolve();
  }

  revoke(tx: Tx, id: CredentialId, at: number): Promise<void> {
    this.#change(tx, id, ({ createdAt, revokedAt }) => ({ revokedAt: revokedAt ?? Math.max(createdAt, at) }));
    return Promise.resolve();
  }

  rotate(tx: Tx, id: CredentialId, digest: Uint8Array): Promise<void> {
    this.#change(tx, id, ({ holder, revokedAt }) =>
      holder.kind === 'session' && revokedAt === null ? { digest } : {},
    );
    return Promise.resolve();
  }

  revokeAllOf(tx: Tx, personId: PersonId, at: number): Promise<number> {
    const live = [...this.#rows.of(tx).values()].filter(
      ({ holder, revokedAt }) => 'personId' in holder && holder.personId === personId && revokedAt === null,
    );
    for (const { id } of live) void this.revoke(tx, id, at);
    return Promise.resolve(live.length);
  }

  /** Every credential of a tenant, the oldest first. */
  all(tx: Pick<Tx, 'tenantId'>): readonly CredentialRow[] {
    return [...this.#rows.of(tx).values()];
  }

  row(tx: Pick<Tx, 'tenantId'>, id: CredentialId): CredentialRow | undefined {
    return this.#rows.of(tx).get(id);
  }

  /** The credential authenticates a request. */
  use(tx: Pick<Tx, 'tenantId'>, id: CredentialId, at: number): void {
    this.#change(tx, id, () => ({ lastUsedAt: at }));
  }

  readonly find = unused;
  readonly list = unused;
  readonly countTokens = unused;
  readonly revokeAllMadeBy = unused;
  readonly stillGood = unused;

  #change(tx: Pick<Tx, 'tenantId'>, id: CredentialId, change: (row: CredentialRow) => Partial<CredentialRow>): void {
    const row = this.row(tx, id);
    if (row !== undefined) this.#rows.of(tx).set(id, { ...row, ...change(row) });
  }
}

/** A credential as it is minted, without its token. */
export const sampleCredential = (
  id: CredentialId,
  holder: Extract<Credential['holder'], { readonly kind: 'session' | 'issuer_token' | 'person_token' | 'slack_link' }>,
  createdAt: number,
  expiresAt: number,
): Credential => ({
  id,
  holder,
  name: 'A credential',
  prefix: 'cs_s_test',
  scopes: ['read'],
  createdAt,
  createdBy: null,
  expiresAt,
  revokedAt: null,
  lastUsedAt: null,
});
