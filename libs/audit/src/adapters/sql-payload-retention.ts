import { sqlOf } from '#lib/database';
import type { AuditEntryId, Tx } from '#lib/kernel';
import type { PayloadRetention } from '../application/audit.ports.js';

/** The retention rule and erasure of payloads in PostgreSQL; the database's own function decides what may go. */
export class SqlPayloadRetention implements PayloadRetention {
  async setKeepDays(tx: Tx, keepDays: number | null, at: number): Promise<void> {
    if (keepDays === null) {
      await sqlOf(tx).query('delete from audit_retention where tenant_id = $1', [tx.tenantId]);
      return;
    }
    await sqlOf(tx).query(
      `insert into audit_retention (tenant_id, keep_days, set_at) values ($1, $2, $3)
       on conflict on constraint audit_retention_pk do update set keep_days = excluded.keep_days, set_at = excluded.set_at`,
      [tx.tenantId, keepDays, new Date(at)],
    );
  }

  async keepDays(tx: Tx): Promise<number | null> {
    const [row] = await sqlOf(tx).query<{ keep_days: number }>(
      'select keep_days from audit_retention where tenant_id = $1',
      [tx.tenantId],
    );
    return row?.keep_days ?? null;
  }

  async erase(tx: Tx, limit: number): Promise<readonly AuditEntryId[]> {
    const rows = await sqlOf(tx).query<{ id: AuditEntryId }>('select id from audit_erase_payloads($1)', [limit]);
    return rows.map(({ id }) => id);
  }
}
