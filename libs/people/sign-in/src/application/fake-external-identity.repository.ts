import type { CredentialId, PersonId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { FakeCredentials } from './fake-credentials.js';
import type { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';
import type { ExternalIdentity, ExternalIdentityRepository } from './sign-in.ports.js';

interface Row extends ExternalIdentity {
  readonly issuerId: string;
  readonly subject: string;
  readonly signedInAt: number;
}

/** Keeps people that issuers know in memory. */
export class FakeExternalIdentityRepository implements ExternalIdentityRepository {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly settings: Pick<FakeSignInSettingsRepository, 'inService'>,
    private readonly credentials: Pick<FakeCredentials, 'row'>,
  ) {
    this.#rows = new FakeTable(database);
  }

  lockSubject(tx: Tx, issuerId: string, subject: string): Promise<ExternalIdentity | null> {
    const row = this.#of(tx).find((one) => one.issuerId === issuerId && one.subject === subject);
    return Promise.resolve(row === undefined ? null : identityOf(row));
  }

  insert(
    tx: Tx,
    identity: { readonly id: string; readonly issuerId: string; readonly subject: string; readonly personId: PersonId },
  ): Promise<void> {
    const taken = this.#of(tx).some(
      ({ issuerId, subject, personId }) =>
        issuerId === identity.issuerId && (subject === identity.subject || personId === identity.personId),
    );
    if (taken) return Promise.reject(new FakeRefusal('23505', 'external_identity_subject_key'));
    this.#rows.of(tx).set(identity.id, { ...identity, bearerCredentialId: null, signedInAt: this.database.now });
    return Promise.resolve();
  }

  hasIdentityAt(tx: Tx, personId: PersonId, issuerId: string): Promise<boolean> {
    return Promise.resolve(this.#of(tx).some((row) => row.personId === personId && row.issuerId === issuerId));
  }

  markSignedIn(tx: Tx, { id }: ExternalIdentity, at: number): Promise<void> {
    this.#change(tx, id, ({ signedInAt }) => ({ signedInAt: Math.max(signedInAt, at) }));
    return Promise.resolve();
  }

  async forBearer(
    tx: Tx,
    issuerId: string,
    subject: string,
  ): Promise<{ readonly identity: ExternalIdentity; readonly credentialDigest: Uint8Array | null } | null> {
    const identity = await this.lockSubject(tx, issuerId, subject);
    if (identity === null) return null;
    const credential = this.#bearerOf(tx, identity);
    const stands =
      credential !== undefined && (credential.expiresAt > this.database.now || credential.revokedAt !== null);
    return { identity, credentialDigest: stands ? credential.digest : null };
  }

  setBearerCredential(tx: Tx, identityId: string, bearerCredentialId: CredentialId): Promise<void> {
    this.#change(tx, identityId, () => ({ bearerCredentialId }));
    return Promise.resolve();
  }

  forgetRevokedBearer(tx: Tx, identityId: string): Promise<void> {
    this.#change(tx, identityId, (row) =>
      (this.#bearerOf(tx, row)?.revokedAt ?? null) === null ? {} : { bearerCredentialId: null },
    );
    return Promise.resolve();
  }

  signedInAtOneOf(tx: Tx, personId: PersonId, issuerUrls: readonly string[]): Promise<number | null> {
    const named = this.settings.inService(tx).filter(({ url }) => issuerUrls.includes(url));
    const times = this.#of(tx)
      .filter((row) => row.personId === personId && named.some(({ id }) => id === row.issuerId))
      .map(({ signedInAt }) => signedInAt);
    return Promise.resolve(times.length === 0 ? null : Math.max(...times));
  }

  /** The issuer of an identity; null for none. */
  issuerIdOf(tx: Tx, id: string | null): string | null {
    return (id === null ? undefined : this.#rows.of(tx).get(id))?.issuerId ?? null;
  }

  #of(tx: Tx): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }

  #bearerOf(tx: Tx, { bearerCredentialId: id }: ExternalIdentity): ReturnType<FakeCredentials['row']> {
    return id === null ? undefined : this.credentials.row(tx, id);
  }

  #change(tx: Tx, id: string, change: (row: Row) => Partial<Row>): void {
    const row = this.#rows.of(tx).get(id);
    if (row !== undefined) this.#rows.of(tx).set(id, { ...row, ...change(row) });
  }
}

const identityOf = ({ id, personId, bearerCredentialId }: Row): ExternalIdentity => ({
  id,
  personId,
  bearerCredentialId,
});
