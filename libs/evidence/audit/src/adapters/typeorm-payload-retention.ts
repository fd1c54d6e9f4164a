import { sqlOf } from '#lib/database';
import type { AuditEntryId, AuditLevel, Tx } from '#lib/kernel';
import type { PayloadRetention } from '../application/audit.ports.js';
import { KEEP_FOR_EVER, LEVELS, type RetentionRule } from '../domain/retention-rule.js';

/** The retention rule and erasure of payloads in PostgreSQL. A database function decides which payloads may go. */
export class SqlPayloadRetention implements PayloadRetention {
  async setRule(tx: Tx, rule: RetentionRule, at: number): Promise<void> {
    const kept = LEVELS.flatMap((level) => (rule[level] === null ? [] : [{ level, days: rule[level] }]));
    await sqlOf(tx).query('delete from audit_retention where tenant_id = $1', [tx.tenantId]);
    await sqlOf(tx).query(
      `insert into audit_retention (tenant_id, level, keep_days, set_at)
       select $1, kept.level, kept.days, $4 from unnest($2::text[], $3::integer[]) kept (level, days)`,
      [tx.tenantId, kept.map(({ level }) => level), kept.map(({ days }) => days), new Date(at)],
    );
  }

  async rule(tx: Tx): Promise<RetentionRule> {
    const rows = await sqlOf(tx).query<{ level: AuditLevel; keep_days: number }>(
      'select level, keep_days from audit_retention where tenant_id = $1',
      [tx.tenantId],
    );
    return { ...KEEP_FOR_EVER, ...Object.fromEntries(rows.map(({ level, keep_days }) => [level, keep_days])) };
  }

  async erase(tx: Tx, limit: number): Promise<readonly AuditEntryId[]> {
    const rows = await sqlOf(tx).query<{ id: AuditEntryId }>('select id from audit_erase_payloads($1)', [limit]);
    return rows.map(({ id }) => id);
  }
}
