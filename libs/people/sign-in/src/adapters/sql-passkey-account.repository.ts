import { v7 } from 'uuid';
import { DATABASE_CLOCK, rowsOf, sqlOf, type SystemQuery } from '#lib/database';
import { personEntity } from '#lib/identity';
import type { PersonId, TenantId, Tx } from '#lib/kernel';
import type { PasskeyAccount, PasskeyAccountRepository } from '../application/passkey.ports.js';
import { externalIdentityEntity, issuerEntity, passkeySignInEntity } from './sign-in.entity.js';

const COLUMN = personEntity.column;
const PERSON = personEntity.as('person');
const ISSUER = issuerEntity.as('issuer');
const KNOWN = externalIdentityEntity.as('known');
const PASSKEY_SIGN_IN = passkeySignInEntity.as('passkey_sign_in');

/** Accounts that passkeys open, in PostgreSQL: columns of person, and table passkey_sign_in. */
export class SqlPasskeyAccountRepository implements PasskeyAccountRepository {
  constructor(private readonly system: SystemQuery) {}

  async locate(passkeyId: string, personId: PersonId): Promise<TenantId | null> {
    const [row] = await this.system.call('passkey_holder', passkeyId, personId);
    return row?.tenantId ?? null;
  }

  async read(tx: Tx, personId: PersonId): Promise<PasskeyAccount> {
    const [row] = await sqlOf(tx).query<{ readonly at_issuer: boolean; readonly came_in_at: Date | null }>(
      `select greatest(${PERSON.enrolledAt}, ${PERSON.signedInAt}, ${PERSON.passkeySignedInAt}, ${PERSON.operatorSignedInAt}) as came_in_at,
         exists (select from external_identity known
           join issuer on issuer.tenant_id = known.tenant_id and ${ISSUER.id} = ${KNOWN.issuerId} and ${ISSUER.disabledAt} is null
          where known.tenant_id = person.tenant_id and ${KNOWN.personId} = ${PERSON.id}) as at_issuer
       from person where person.tenant_id = $1 and ${PERSON.id} = $2`,
      [tx.tenantId, personId],
    );
    if (row === undefined) throw new Error(`person ${personId} is not there`);
    return { atIssuer: row.at_issuer, cameInAt: row.came_in_at?.getTime() ?? null };
  }

  async spend(
    tx: Tx,
    answered: { readonly personId: PersonId; readonly challengeDigest: Uint8Array; readonly expiresAt: number },
  ): Promise<boolean> {
    await sqlOf(tx).execute(
      `delete from passkey_sign_in where tenant_id = $1 and ${PASSKEY_SIGN_IN.expiresAt} <= clock_timestamp()`,
      [tx.tenantId],
    );
    const row = { ...answered, id: v7(), createdAt: DATABASE_CLOCK };
    return rowsOf(tx, passkeySignInEntity).insertUnless(['challengeDigest'], row);
  }

  async markSignedIn(tx: Tx, personId: PersonId, letInByOperator: boolean): Promise<void> {
    await sqlOf(tx).execute(
      `update person set ${COLUMN.passkeySignedInAt} = clock_timestamp(),
         ${COLUMN.operatorSignedInAt} = case when $3 then clock_timestamp() else ${PERSON.operatorSignedInAt} end
        where tenant_id = $1 and ${PERSON.id} = $2`,
      [tx.tenantId, personId, letInByOperator],
    );
  }
}
