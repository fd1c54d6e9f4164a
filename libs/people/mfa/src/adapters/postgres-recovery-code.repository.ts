import { v7 } from 'uuid';
import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { RecoveryCodeRepository, UnusedCode } from '../application/mfa.ports.js';

/** Digests of recovery codes in PostgreSQL, table recovery_code. */
export class PostgresRecoveryCodeRepository implements RecoveryCodeRepository {
  async unused(tx: Tx, personId: PersonId): Promise<readonly UnusedCode[]> {
    return sqlOf(tx).query<UnusedCode>(
      `select id, digest from recovery_code
       where tenant_id = $1 and person_id = $2 and used_at is null and withdrawn_at is null`,
      [tx.tenantId, personId],
    );
  }

  async replace(tx: Tx, personId: PersonId, digests: readonly Uint8Array[], at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update recovery_code set withdrawn_at = $3
       where tenant_id = $1 and person_id = $2 and used_at is null and withdrawn_at is null`,
      [tx.tenantId, personId, new Date(at)],
    );
    for (const digest of digests) {
      await sqlOf(tx).execute(
        'insert into recovery_code (tenant_id, id, person_id, digest, created_at) values ($1, $2, $3, $4, $5)',
        [tx.tenantId, v7(), personId, Buffer.from(digest), new Date(at)],
      );
    }
  }

  async markUsed(tx: Tx, id: string, at: number): Promise<void> {
    await sqlOf(tx).execute('update recovery_code set used_at = $3 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      new Date(at),
    ]);
  }
}
