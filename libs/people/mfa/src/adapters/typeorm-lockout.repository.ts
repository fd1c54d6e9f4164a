import { rowsOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { LockoutRepository } from '../application/mfa.ports.js';
import { NO_FAILURES, type Lockout } from '../domain/lockout.js';
import { lockoutEntity } from './mfa.entity.js';

/** Lockouts in PostgreSQL. */
export class TypeormLockoutRepository implements LockoutRepository {
  async lock(tx: Tx, personId: PersonId): Promise<Lockout> {
    const lockouts = rowsOf(tx, lockoutEntity);
    await lockouts.insertUnless(['personId'], { personId, ...NO_FAILURES });
    const row = await lockouts.findOne({ personId }, { lock: 'update' });
    return row === null ? NO_FAILURES : { failures: row.failures, lockedUntil: row.lockedUntil };
  }

  async save(tx: Tx, personId: PersonId, { failures, lockedUntil }: Lockout): Promise<void> {
    await rowsOf(tx, lockoutEntity).update({ personId }, { failures, lockedUntil });
  }
}
