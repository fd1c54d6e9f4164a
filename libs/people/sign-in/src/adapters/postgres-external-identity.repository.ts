import { sqlOf } from '#lib/database';
import { sealedIdentity } from '#lib/identity';
import { requireSeal, type CredentialId, type PersonId, type RowSeals, type Tx } from '#lib/kernel';
import type { ExternalIdentity, ExternalIdentityRepository } from '../application/sign-in.ports.js';

interface IdentityRow {
  readonly id: string;
  readonly person_id: PersonId;
  readonly bearer_credential_id: CredentialId | null;
  readonly seal: string;
}

/** The people behind an issuer's subjects. A row that Countersign did not write is refused (`record.not_authentic`). */
export class PostgresExternalIdentityRepository implements ExternalIdentityRepository {
  constructor(private readonly seals: RowSeals) {}

  async lockSubject(tx: Tx, issuerId: string, subject: string): Promise<ExternalIdentity | null> {
    // The row may not exist yet, so the lock is advisory: two first sign-ins at once make one person.
    await sqlOf(tx).query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `external_identity ${tx.tenantId} ${issuerId} ${subject}`,
    ]);
    const [row] = await sqlOf(tx).query<IdentityRow>(
      `select id, person_id, bearer_credential_id, seal from external_identity
        where tenant_id = $1 and issuer_id = $2 and subject = $3`,
      [tx.tenantId, issuerId, subject],
    );
    if (row === undefined) return null;
    await this.#require(tx, issuerId, subject, row);
    return toIdentity(row);
  }

  async insert(
    tx: Tx,
    identity: { readonly id: string; readonly issuerId: string; readonly subject: string; readonly personId: PersonId },
  ): Promise<void> {
    const seal = await this.seals.seal(sealedIdentity(tx.tenantId, identity));
    await sqlOf(tx).execute(
      `insert into external_identity (tenant_id, id, issuer_id, subject, person_id, created_at, signed_in_at, seal)
       select $1, $2, $3, $4, $5, at, at, $6 from clock_timestamp() at`,
      [tx.tenantId, identity.id, identity.issuerId, identity.subject, identity.personId, seal],
    );
  }

  async personByEmail(tx: Tx, email: string): Promise<PersonId | null> {
    const [row] = await sqlOf(tx).query<{ id: PersonId }>(
      'select id from person where tenant_id = $1 and lower(email) = lower($2)',
      [tx.tenantId, email],
    );
    return row?.id ?? null;
  }

  async hasIdentityAt(tx: Tx, personId: PersonId, issuerId: string): Promise<boolean> {
    const rows = await sqlOf(tx).query(
      'select from external_identity where tenant_id = $1 and person_id = $2 and issuer_id = $3',
      [tx.tenantId, personId, issuerId],
    );
    return rows.length > 0;
  }

  async markSignedIn(tx: Tx, identity: ExternalIdentity, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update external_identity set signed_in_at = greatest(signed_in_at, $3) where tenant_id = $1 and id = $2`,
      [tx.tenantId, identity.id, new Date(at)],
    );
    await sqlOf(tx).execute(
      `update person set signed_in_at = greatest(signed_in_at, $3) where tenant_id = $1 and id = $2`,
      [tx.tenantId, identity.personId, new Date(at)],
    );
  }

  async signedInAtOneOf(tx: Tx, personId: PersonId, issuerUrls: readonly string[]): Promise<number | null> {
    const [row] = await sqlOf(tx).query<{ readonly at: Date | null }>(
      `select max(known.signed_in_at) as at from external_identity known
         join issuer on issuer.tenant_id = known.tenant_id and issuer.id = known.issuer_id and issuer.disabled_at is null
        where known.tenant_id = $1 and known.person_id = $2 and issuer.issuer_url = any ($3::text[])`,
      [tx.tenantId, personId, issuerUrls],
    );
    return row?.at?.getTime() ?? null;
  }

  async forBearer(
    tx: Tx,
    issuerId: string,
    subject: string,
  ): Promise<{ identity: ExternalIdentity; credentialDigest: Uint8Array | null } | null> {
    const [row] = await sqlOf(tx).query<IdentityRow & { readonly token_digest: Uint8Array | null }>(
      `select i.id, i.person_id, i.bearer_credential_id, i.seal, c.token_digest
         from external_identity i left join credential c on c.tenant_id = i.tenant_id and c.id = i.bearer_credential_id
          and (c.expires_at > clock_timestamp() or c.revoked_at is not null)
        where i.tenant_id = $1 and i.issuer_id = $2 and i.subject = $3`,
      [tx.tenantId, issuerId, subject],
    );
    if (row === undefined) return null;
    await this.#require(tx, issuerId, subject, row);
    return { identity: toIdentity(row), credentialDigest: row.token_digest };
  }

  #require(tx: Tx, issuerId: string, subject: string, { id, person_id: personId, seal }: IdentityRow): Promise<void> {
    return requireSeal(this.seals, sealedIdentity(tx.tenantId, { id, issuerId, subject, personId }), seal);
  }

  async setBearerCredential(tx: Tx, identityId: string, credentialId: CredentialId): Promise<void> {
    await sqlOf(tx).execute('update external_identity set bearer_credential_id = $3 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      identityId,
      credentialId,
    ]);
  }

  async forgetRevokedBearer(tx: Tx, identityId: string): Promise<void> {
    await sqlOf(tx).execute(
      `update external_identity i set bearer_credential_id = null where i.tenant_id = $1 and i.id = $2
          and exists (select from credential c where c.tenant_id = $1 and c.id = i.bearer_credential_id and c.revoked_at is not null)`,
      [tx.tenantId, identityId],
    );
  }

  async signedInAt(tx: Tx, personId: PersonId): Promise<number | null | undefined> {
    const [row] = await sqlOf(tx).query<{ signed_in_at: Date | null }>(
      'select person_signed_in_at(person) as signed_in_at from person where tenant_id = $1 and id = $2',
      [tx.tenantId, personId],
    );
    return row === undefined ? undefined : (row.signed_in_at?.getTime() ?? null);
  }
}

const toIdentity = (row: IdentityRow): ExternalIdentity => ({
  id: row.id,
  personId: row.person_id,
  bearerCredentialId: row.bearer_credential_id,
});
