import { v7 } from 'uuid';
import { rowsOf, sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { PasskeyRegistrationRepository } from '../application/mfa.ports.js';
import { passkeyRegistrationEntity } from './mfa.entity.js';

const SPENT = passkeyRegistrationEntity.as('spent');

type Registration = Parameters<PasskeyRegistrationRepository['insert']>[1];

/** Challenges for new passkeys in PostgreSQL. */
export class SqlPasskeyRegistrationRepository implements PasskeyRegistrationRepository {
  insert(tx: Tx, registration: Registration): Promise<void> {
    return rowsOf(tx, passkeyRegistrationEntity).insert({ id: v7(), ...registration });
  }

  async spend(tx: Tx, personId: PersonId, now: number): Promise<readonly string[]> {
    const rows = await sqlOf(tx).query<object>(
      `delete from passkey_registration spent where tenant_id = $1 and ${SPENT.personId} = $2 returning ${SPENT_ROW.columns('spent')}`,
      [tx.tenantId, personId],
    );
    const spent = rows.map((row) => SPENT_ROW.row(row));
    return spent.filter(({ expiresAt }) => expiresAt > now).map(({ challenge }) => challenge);
  }
}

const SPENT_ROW = passkeyRegistrationEntity.pick('challenge', 'expiresAt');
