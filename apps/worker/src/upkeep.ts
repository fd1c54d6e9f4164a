import type { AuditLog } from '#lib/audit';
import { oldAutomationRuns } from '#lib/automation';
import type { Database, OldRows } from '#lib/database';
import type { GrantKeyring } from '#lib/dispatch';
import { OLD_ROWS } from '#lib/installation';
import type { TenantId } from '#lib/kernel';
import { emptyRemovedWebhooks, giveUpDeliveries } from '#lib/webhook';

export const UPKEEP_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Grants live a minute; a key that signs them lives a month. */
const GRANT_KEY_AGE_MS = 30 * DAY_MS;

/** One thing that only time makes necessary. Any number of workers may do it at once. */
export interface UpkeepWork {
  readonly name: string;
  readonly round: () => Promise<void>;
}

/**
 * Adds the partitions of the coming months. Erases audit payloads, and rows that are of no use any more. These are {@link
 * OLD_ROWS}, old runs of automations, and the events of webhooks that were switched off or removed. Rotates the keys that sign
 * grants.
 */
export function upkeep(
  { uow, systemQuery }: Pick<Database, 'uow' | 'systemQuery'>,
  log: Pick<AuditLog, 'erasePayloads'>,
  keys: Pick<GrantKeyring, 'rotateIfOlderThan'>,
  automationRunDays: number,
): readonly UpkeepWork[] {
  const dropOld = ({ name, tenants, ageMs, drop }: OldRows): UpkeepWork => ({
    name,
    round: async () => {
      const before = new Date(Date.now() - ageMs);
      await eachTenant(await systemQuery.work(tenants, before), (id) => uow.run(id, (tx) => drop(tx, before)));
    },
  });
  return [
    {
      name: 'months',
      round: async () => {
        const late = await systemQuery.read<{ readonly month: string }>('countersign_add_months');
        if (late.length === 0) return;
        const months = late.map(({ month }) => month).join(', ');
        throw new Error(`rows of ${months} stand in the default partitions, so that these partitions cannot be added`);
      },
    },
    {
      name: 'audit-retention',
      round: async () => {
        await eachTenant(await systemQuery.work('audit_retention_tenants'), (id) => log.erasePayloads.execute(id));
      },
    },
    ...[...OLD_ROWS, oldAutomationRuns(automationRunDays)].map(dropOld),
    {
      name: 'webhooks-off',
      round: async () => {
        const tenants = await systemQuery.work('webhook_given_up_tenants');
        await eachTenant(tenants, (id) => uow.run(id, giveUpDeliveries));
        await eachTenant(tenants, (id) => uow.run(id, emptyRemovedWebhooks));
      },
    },
    {
      name: 'grant-keys',
      round: () => keys.rotateIfOlderThan(GRANT_KEY_AGE_MS),
    },
  ];
}

/** Works on each tenant until nothing is left. A tenant in which it fails keeps the others from nothing. */
async function eachTenant(
  tenants: readonly { readonly tenantId: TenantId }[],
  work: (id: TenantId) => Promise<number>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { tenantId } of tenants) {
    try {
      while ((await work(tenantId)) > 0);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `upkeep failed in ${String(failures.length)} tenants`);
}
