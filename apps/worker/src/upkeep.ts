import type { AuditLog } from '#lib/audit';
import { sqlOf, type Database } from '#lib/database';
import type { GrantKeyring } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';

export const UPKEEP_EVERY_MS = 3_600_000;
/** Grants live a minute; a key that signs them lives a month. */
const GRANT_KEY_AGE_MS = 30 * 24 * 3_600_000;
const BATCH = 1_000;

/** One thing that only time makes necessary. Any number of workers may do it at once. */
export interface UpkeepWork {
  readonly name: string;
  readonly round: () => Promise<void>;
}

/** Erasure of audit payloads, of answers kept for repeated requests, and rotation of the keys that sign grants. */
export function upkeep(
  database: Pick<Database, 'uow' | 'systemQuery'>,
  log: Pick<AuditLog, 'erasePayloads'>,
  keys: Pick<GrantKeyring, 'rotateIfOlderThan'>,
): readonly UpkeepWork[] {
  const { uow, systemQuery } = database;
  /** A tenant in which it fails keeps the others from nothing. */
  const eachTenant = async (tenants: readonly { tenantId: TenantId }[], work: (id: TenantId) => Promise<number>) => {
    const failures: unknown[] = [];
    for (const { tenantId } of tenants) {
      try {
        while ((await work(tenantId)) > 0);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `upkeep failed in ${String(failures.length)} tenants`);
  };
  const dropExpiredAnswers = (tenantId: TenantId): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from idempotency_record where tenant_id = $1 and id in
           (select old.id from idempotency_record old where old.tenant_id = $1 and old.expires_at <= clock_timestamp()
             order by old.expires_at limit ${String(BATCH)} for update skip locked)`,
        [tenantId],
      ),
    );
  return [
    {
      name: 'audit-retention',
      round: async () => {
        const tenants = await systemQuery.call('audit_retention_tenants');
        await eachTenant(tenants, (tenantId) => log.erasePayloads.execute(tenantId));
      },
    },
    {
      name: 'kept-answers',
      round: async () => {
        const tenants = await systemQuery.call('idempotency_expired_tenants', new Date());
        await eachTenant(tenants, dropExpiredAnswers);
      },
    },
    {
      name: 'grant-keys',
      round: async () => {
        await keys.rotateIfOlderThan(GRANT_KEY_AGE_MS);
      },
    },
  ];
}
