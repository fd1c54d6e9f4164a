import { v7 } from 'uuid';
import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { PasskeyRegistrationRepository } from '../application/mfa.ports.js';

/** Challenges for new passkeys in PostgreSQL, table passkey_registration. */
export class PostgresPasskeyRegistrationRepository implements PasskeyRegistrationRepository {
  async insert(
    tx: Tx,
    registration: {
      readonly personId: PersonId;
      readonly challenge: string;
      readonly createdAt: number;
      readonly expiresAt: number;
    },
  ): Promise<void> {
    const { personId, challenge, createdAt, expiresAt } = registration;
    await sqlOf(tx).execute(
      `insert into passkey_registration (tenant_id, id, person_id, challenge, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [tx.tenantId, v7(), personId, challenge, new Date(createdAt), new Date(expiresAt)],
    );
  }

  async spend(tx: Tx, personId: PersonId, now: number): Promise<readonly string[]> {
    const rows = await sqlOf(tx).query<{ challenge: string; expires_at: Date }>(
      'delete from passkey_registration where tenant_id = $1 and person_id = $2 returning challenge, expires_at',
      [tx.tenantId, personId],
    );
    return rows.filter(({ expires_at: at }) => at.getTime() > now).map(({ challenge }) => challenge);
  }
}
