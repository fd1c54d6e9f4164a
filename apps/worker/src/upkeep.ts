import type { AuditLog } from '#lib/audit';
import { sqlOf, type Database } from '#lib/database';
import type { GrantKeyring } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import { dropAutomationRuns } from './drop-automation-runs.js';
import { dropUnusedAutomations } from './drop-unused-automations.js';
import { emptyRemovedWebhooks, giveUpDeliveries } from './drop-webhooks.js';
import { OLD_ROWS } from './old-rows.js';

export const UPKEEP_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Grants live a minute; a key that signs them lives a month. */
const GRANT_KEY_AGE_MS = 30 * DAY_MS;
/** A proposed automation that was withdrawn or rejected, from its proposal on. */
const UNUSED_AUTOMATION_AGE_MS = 30 * DAY_MS;

/** One thing that only time makes necessary. Any number of workers may do it at once. */
export interface UpkeepWork {
  readonly name: string;
  readonly round: () => Promise<void>;
}

/**
 * Adds the partitions of the coming months. Erases audit payloads, and rows that are of no use any more: {@link OLD_ROWS}, leftovers of
 * webhooks that were switched off or removed, old runs of automations, and proposals that were withdrawn or rejected. Rotates
 * the keys that sign grants.
 */
export function upkeep(
  { uow, systemQuery }: Pick<Database, 'uow' | 'systemQuery'>,
  log: Pick<AuditLog, 'erasePayloads'>,
  keys: Pick<GrantKeyring, 'rotateIfOlderThan'>,
  automationRunDays: number,
): readonly UpkeepWork[] {
  /** Deletes older rows, batch by batch, in each tenant that has some. */
  const dropOlder = async (
    ageMs: number,
    tenants: string,
    drop: (id: TenantId, before: Date) => Promise<number>,
  ): Promise<void> => {
    const before = new Date(Date.now() - ageMs);
    await eachTenant(await systemQuery.work(tenants, before), (id) => drop(id, before));
  };
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
    ...OLD_ROWS.map(({ name, ageMs, tenants, statement }) => ({
      name,
      round: () =>
        dropOlder(ageMs, tenants, (id, before) => uow.run(id, (tx) => sqlOf(tx).execute(statement, [id, before]))),
    })),
    {
      name: 'webhooks-off',
      round: async () => {
        const tenants = await systemQuery.work('webhook_given_up_tenants');
        await eachTenant(tenants, (id) => giveUpDeliveries(uow, id));
        await eachTenant(tenants, (id) => emptyRemovedWebhooks(uow, id));
      },
    },
    {
      name: 'automation-runs',
      round: () =>
        dropOlder(automationRunDays * DAY_MS, 'automation_run_ended_tenants', (id, before) =>
          dropAutomationRuns(uow, id, before),
        ),
    },
    {
      name: 'unused-automations',
      round: () =>
        dropOlder(UNUSED_AUTOMATION_AGE_MS, 'automation_unused_tenants', (id, before) =>
          dropUnusedAutomations(uow, id, before),
        ),
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
