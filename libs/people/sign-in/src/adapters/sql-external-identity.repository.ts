import { lockName, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { sealedIdentity, personEntity, credentialEntity } from '#lib/identity';
import { requireSeal, type CredentialId, type PersonId, type RowSeals, type Tx } from '#lib/kernel';
import type { ExternalIdentity, ExternalIdentityRepository } from '../application/sign-in.ports.js';
import { externalIdentityEntity, issuerEntity } from './sign-in.entity.js';

const IDENTITY_COLUMN = externalIdentityEntity.column;
const PERSON_COLUMN = personEntity.column;
const NEW_IDENTITY = externalIdentityEntity.pick(
  'id',
  'issuerId',
  'subject',
  'personId',
  'createdAt',
  'signedInAt',
  'seal',
);
const EXTERNAL_IDENTITY = externalIdentityEntity.as('external_identity');
const PERSON = personEntity.as('person');
const KNOWN = externalIdentityEntity.as('known');
const ISSUER = issuerEntity.as('issuer');
const C = credentialEntity.as('c');
const I = externalIdentityEntity.as('i');

const facts = externalIdentityEntity.pick('id', 'personId', 'bearerCredentialId', 'seal');

type IdentityRow = RowOf<typeof externalIdentityEntity>;

/** The people behind an issuer's subjects. A row that Countersign did not write is refused (`record.not_authentic`). */
export class SqlExternalIdentityRepository implements ExternalIdentityRepository {
  constructor(private readonly seals: RowSeals) {}

  async lockSubject(tx: Tx, issuerId: string, subject: string): Promise<ExternalIdentity | null> {
    // The row may not exist yet, so the lock is advisory: two first sign-ins at once make one person.
    await lockName(tx, `external_identity ${tx.tenantId} ${issuerId} ${subject}`);
    const row = await rowsOf(tx, externalIdentityEntity).findOne({ issuerId, subject });
    if (row === null) return null;
    await this.#require(tx, issuerId, subject, row);
    return toIdentity(row);
  }

  async insert(
    tx: Tx,
    identity: { readonly id: string; readonly issuerId: string; readonly subject: string; readonly personId: PersonId },
  ): Promise<void> {
    const seal = await this.seals.seal(sealedIdentity(tx.tenantId, identity));
    await sqlOf(tx).execute(
      `insert into ${NEW_IDENTITY.into}
       select $1, $2, $3, $4, $5, at, at, $6 from clock_timestamp() at`,
      [tx.tenantId, identity.id, identity.issuerId, identity.subject, identity.personId, seal],
    );
  }

  async hasIdentityAt(tx: Tx, personId: PersonId, issuerId: string): Promise<boolean> {
    return (await rowsOf(tx, externalIdentityEntity).findOne({ personId, issuerId })) !== null;
  }

  async markSignedIn(tx: Tx, identity: ExternalIdentity, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update external_identity set ${IDENTITY_COLUMN.signedInAt} = greatest(${EXTERNAL_IDENTITY.signedInAt}, $3) where tenant_id = $1
         and ${EXTERNAL_IDENTITY.id} = $2`,
      [tx.tenantId, identity.id, new Date(at)],
    );
    await sqlOf(tx).execute(
      `update person set ${PERSON_COLUMN.signedInAt} = greatest(${PERSON.signedInAt}, $3) where tenant_id = $1 and ${PERSON.id} = $2`,
      [tx.tenantId, identity.personId, new Date(at)],
    );
  }

  async signedInAtOneOf(tx: Tx, personId: PersonId, issuerUrls: readonly string[]): Promise<number | null> {
    const [row] = await sqlOf(tx).query<{ readonly at: Date | null }>(
      `select max(${KNOWN.signedInAt}) as at from external_identity known
         join issuer on issuer.tenant_id = known.tenant_id and ${ISSUER.id} = ${KNOWN.issuerId} and ${ISSUER.disabledAt} is null
        where known.tenant_id = $1 and ${KNOWN.personId} = $2 and ${ISSUER.issuerUrl} = any ($3::text[])`,
      [tx.tenantId, personId, issuerUrls],
    );
    return row?.at?.getTime() ?? null;
  }

  async forBearer(
    tx: Tx,
    issuerId: string,
    subject: string,
  ): Promise<{ identity: ExternalIdentity; credentialDigest: Uint8Array | null } | null> {
    const [stored] = await sqlOf(tx).query<{ readonly token_digest: Uint8Array | null }>(
      `select ${facts.columns('i')}, ${C.tokenDigest} as token_digest
         from external_identity i left join credential c on c.tenant_id = i.tenant_id and ${C.id} = ${I.bearerCredentialId}
          and (${C.expiresAt} > clock_timestamp() or ${C.revokedAt} is not null)
        where i.tenant_id = $1 and ${I.issuerId} = $2 and ${I.subject} = $3`,
      [tx.tenantId, issuerId, subject],
    );
    if (stored === undefined) return null;
    const row = facts.row(stored);
    await this.#require(tx, issuerId, subject, row);
    return { identity: toIdentity(row), credentialDigest: row.token_digest };
  }

  #require(
    tx: Tx,
    issuerId: string,
    subject: string,
    { id, personId, seal }: Pick<IdentityRow, 'id' | 'personId' | 'seal'>,
  ): Promise<void> {
    return requireSeal(this.seals, sealedIdentity(tx.tenantId, { id, issuerId, subject, personId }), seal);
  }

  async setBearerCredential(tx: Tx, identityId: string, credentialId: CredentialId): Promise<void> {
    await rowsOf(tx, externalIdentityEntity).update({ id: identityId }, { bearerCredentialId: credentialId });
  }

  async forgetRevokedBearer(tx: Tx, identityId: string): Promise<void> {
    await sqlOf(tx).execute(
      `update external_identity i set ${IDENTITY_COLUMN.bearerCredentialId} = null where i.tenant_id = $1 and ${I.id} = $2
          and exists (select from credential c where c.tenant_id = $1 and ${C.id} = ${I.bearerCredentialId}
            and ${C.revokedAt} is not null)`,
      [tx.tenantId, identityId],
    );
  }
}

const toIdentity = ({ id, personId, bearerCredentialId }: ExternalIdentity): ExternalIdentity => ({
  id,
  personId,
  bearerCredentialId,
});
