import type { CredentialRepository } from '#lib/identity';
import type { CredentialId, Tx } from '#lib/kernel';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeCredentialRepository } from '../../../identity/src/application/fake-credential.repository.js';
import { FakePeopleRows, type KeptCredential } from '../../../identity/src/application/fake-people.js';

type Credential = Parameters<CredentialRepository['insert']>[1];

/** A credential with the digest of its token. */
export interface CredentialRow extends Credential {
  readonly digest: Uint8Array;
}

const rowOf = ({ credential, digest }: KeptCredential): CredentialRow => ({ ...credential, digest });

/** Keeps credentials in memory, and shows their rows. */
export class FakeCredentials extends FakeCredentialRepository {
  constructor(database: FakeUnitOfWork) {
    super(new FakePeopleRows(database));
  }

  /** Every credential of a tenant, the oldest first. */
  all(tx: Pick<Tx, 'tenantId'>): readonly CredentialRow[] {
    return [...this.kept.of(tx).values()].map(rowOf);
  }

  row(tx: Pick<Tx, 'tenantId'>, id: CredentialId): CredentialRow | undefined {
    const kept = this.kept.of(tx).get(id);
    return kept && rowOf(kept);
  }

  /** The credential authenticates a request. */
  use(tx: Pick<Tx, 'tenantId'>, id: CredentialId, at: number): void {
    const kept = this.kept.of(tx).get(id);
    if (kept !== undefined) this.kept.of(tx).set(id, { ...kept, credential: { ...kept.credential, lastUsedAt: at } });
  }
}

/** A credential as it is minted, without its token. */
export const sampleCredential = (
  id: CredentialId,
  holder: Extract<
    Credential['holder'],
    { readonly kind: 'browser_session' | 'issuer_token' | 'person_token' | 'slack_link' }
  >,
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
