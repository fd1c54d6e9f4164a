import { rowsOf, sqlOf } from '#lib/database';
import type { AuditEntryId, Tx } from '#lib/kernel';
import type { PayloadRetention } from '../application/audit.ports.js';
import { KEEP_FOR_EVER, LEVELS, type RetentionRule } from '../domain/retention-rule.js';
import { auditRetentionEntity } from './audit.entity.js';

/** The retention rule and erasure of payloads in PostgreSQL. A database function decides which payloads may go. */
export class SqlPayloadRetention implements PayloadRetention {
  async setRule(tx: Tx, rule: RetentionRule, at: number): Promise<void> {
    const rows = rowsOf(tx, auditRetentionEntity);
    await rows.delete({});
    const kept = LEVELS.flatMap((level) => (rule[level] === null ? [] : [{ level, keepDays: rule[level], setAt: at }]));
    if (kept.length > 0) await rows.insert(kept);
  }

  async rule(tx: Tx): Promise<RetentionRule> {
    const rows = await rowsOf(tx, auditRetentionEntity).find();
    return { ...KEEP_FOR_EVER, ...Object.fromEntries(rows.map(({ level, keepDays }) => [level, keepDays])) };
  }

  async erase(tx: Tx, limit: number): Promise<readonly AuditEntryId[]> {
    const rows = await sqlOf(tx).query<{ id: AuditEntryId }>('select id from audit_erase_payloads($1)', [limit]);
    return rows.map(({ id }) => id);
  }
}
