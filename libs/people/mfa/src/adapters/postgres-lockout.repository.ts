import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { LockoutRepository } from '../application/mfa.ports.js';
import { NO_FAILURES, type Lockout } from '../domain/lockout.js';

/** Lockouts in PostgreSQL, table factor_lockout. */
export class PostgresLockoutRepository implements LockoutRepository {
  async lock(tx: Tx, personId: PersonId): Promise<Lockout> {
    await sqlOf(tx).execute(
      'insert into factor_lockout (tenant_id, person_id, failures) values ($1, $2, 0) on conflict do nothing',
      [tx.tenantId, personId],
    );
    const [row] = await sqlOf(tx).query<{ failures: number; locked_until: Date | null }>(
      'select failures, locked_until from factor_lockout where tenant_id = $1 and person_id = $2 for update',
      [tx.tenantId, personId],
    );
    return row === undefined
      ? NO_FAILURES
      : { failures: row.failures, lockedUntil: row.locked_until?.getTime() ?? null };
  }

  async save(tx: Tx, personId: PersonId, { failures, lockedUntil }: Lockout): Promise<void> {
    await sqlOf(tx).execute(
      'update factor_lockout set failures = $3, locked_until = $4 where tenant_id = $1 and person_id = $2',
      [tx.tenantId, personId, failures, lockedUntil === null ? null : new Date(lockedUntil)],
    );
  }
}
