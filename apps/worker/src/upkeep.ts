import type { AuditLog } from '#lib/audit';
import { sqlOf, type Database } from '#lib/database';
import type { GrantKeyring } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import { dropAutomationRuns } from './drop-automation-runs.js';
import { dropUnusedAutomations } from './drop-unused-automations.js';

export const UPKEEP_EVERY_MS = 3_600_000;
/** Grants live a minute; a key that signs them lives a month. */
const GRANT_KEY_AGE_MS = 30 * 24 * 3_600_000;
const BATCH = 1_000;
/** A click is good for five minutes; it is kept for a day, so that its result can be seen. It may hold a reviewer's comment. */
const INTERACTION_AGE_MS = 24 * 3_600_000;
/** A delivered message is kept for a month, as proof that it was sent. */
const DELIVERED_AGE_MS = 30 * 24 * 3_600_000;

/** A call for a runner, with its output, after its end. Its answer stands with its run or its single call. */
const RUNNER_CALL_AGE_MS = 30 * 24 * 3_600_000;

/** An event that was delivered to a webhook, or given up: the delivery log goes back so far. */
const WEBHOOK_DELIVERY_AGE_MS = 30 * 24 * 3_600_000;

/** An execution of a hook that has ended: the log of executions goes back so far. */
const HOOK_EXECUTION_AGE_MS = 30 * 24 * 3_600_000;

/** A call that lacked a fact, in no open session: its name gets the same answer for so long. */
const UNJUDGED_CALL_AGE_MS = 30 * 24 * 3_600_000;

/** A proposed automation that was withdrawn or rejected, from its proposal on. */
const UNUSED_AUTOMATION_AGE_MS = 30 * 24 * 3_600_000;

/** One thing that only time makes necessary. Any number of workers may do it at once. */
export interface UpkeepWork {
  readonly name: string;
  readonly round: () => Promise<void>;
}

/**
 * Adds the partitions of the coming months. Erases audit payloads, kept answers of repeated requests, finished clicks in Slack,
 * delivered messages, the delivery logs of webhooks, removed webhooks, executions of hooks, ended calls of runners, and calls that lacked a
 * fact. Rotates the keys that sign grants. Deletes old runs of automations, and proposals that were withdrawn or rejected.
 */
export function upkeep(
  database: Pick<Database, 'uow' | 'systemQuery'>,
  log: Pick<AuditLog, 'erasePayloads'>,
  keys: Pick<GrantKeyring, 'rotateIfOlderThan'>,
  automationRunDays: number,
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
  const dropInteractions = (tenantId: TenantId, before: Date): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from slack_interaction where tenant_id = $1 and id in
           (select old.id from slack_interaction old where old.tenant_id = $1 and old.done_at < $2
             order by old.done_at limit ${String(BATCH)} for update skip locked)`,
        [tenantId, before],
      ),
    );
  // A parent message is deleted after its copies; an undelivered copy still needs its parent.
  const dropDelivered = (tenantId: TenantId, before: Date): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from outbox_message where tenant_id = $1 and id in
           (select old.id from outbox_message old
             where old.tenant_id = $1 and old.state = 'delivered' and old.delivered_at < $2
               and not exists (select from outbox_message spread where spread.tenant_id = $1 and spread.cause_id = old.id)
             order by old.delivered_at limit ${String(BATCH)} for update skip locked)`,
        [tenantId, before],
      ),
    );
  // A worker may have been away for as long: the answer to a call that is still awaited stays for it.
  const dropRunnerCalls = (tenantId: TenantId, before: Date): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from runner_dispatch where tenant_id = $1 and id in
           (select old.id from runner_dispatch old
             where old.tenant_id = $1 and old.ended_at < $2
               and not exists (select from tool_call one
                                where one.tenant_id = $1 and one.id = old.source_id and one.state = 'executing')
               and not exists (select from run_step one
                                where one.tenant_id = $1 and one.run_id = old.source_id and one.lease_until is not null)
             order by old.ended_at limit ${String(BATCH)} for update skip locked)`,
        [tenantId, before],
      ),
    );
  const dropWebhookDeliveries = (tenantId: TenantId, before: Date): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from webhook_delivery where tenant_id = $1 and id in
           (select old.id from webhook_delivery old
             where old.tenant_id = $1 and old.state <> 'pending' and old.settled_at < $2
             order by old.settled_at limit ${String(BATCH)} for update skip locked)`,
        [tenantId, before],
      ),
    );
  // One that is under way keeps its answer.
  const giveUpWebhookDeliveries = (tenantId: TenantId): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `update webhook_delivery set state = 'failed', settled_at = clock_timestamp(), leased_until = null
          where tenant_id = $1 and id in
            (select old.id from webhook_delivery old
               join webhook_endpoint endpoint on endpoint.tenant_id = $1 and endpoint.id = old.endpoint_id
              where old.tenant_id = $1 and old.state = 'pending' and old.times_off < endpoint.times_off
                and endpoint.removed_at is null and (old.leased_until is null or old.leased_until <= clock_timestamp())
              limit ${String(BATCH)} for update of old skip locked)`,
        [tenantId],
      ),
    );
  const emptyRemovedWebhooks = (tenantId: TenantId): Promise<number> =>
    uow.run(tenantId, async (tx) => {
      const deleted = await sqlOf(tx).execute(
        `delete from webhook_delivery where tenant_id = $1 and id in
           (select old.id from webhook_delivery old
              join webhook_endpoint endpoint on endpoint.tenant_id = $1 and endpoint.id = old.endpoint_id
             where old.tenant_id = $1 and endpoint.removed_at is not null
             limit ${String(BATCH)} for update of old skip locked)`,
        [tenantId],
      );
      await sqlOf(tx).execute(
        `delete from webhook_endpoint endpoint
          where endpoint.tenant_id = $1 and endpoint.removed_at is not null
            and not exists (select from webhook_delivery delivery
                             where delivery.tenant_id = $1 and delivery.endpoint_id = endpoint.id)`,
        [tenantId],
      );
      return deleted;
    });
  const dropHookExecutions = (tenantId: TenantId, before: Date): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from lifecycle_hook_execution where tenant_id = $1 and id in
           (select old.id from lifecycle_hook_execution old where old.tenant_id = $1 and old.settled_at < $2
             order by old.settled_at limit ${String(BATCH)} for update skip locked)`,
        [tenantId, before],
      ),
    );
  const dropUnjudgedCalls = (tenantId: TenantId, before: Date): Promise<number> =>
    uow.run(tenantId, (tx) =>
      sqlOf(tx).execute(
        `delete from tool_call_unjudged where tenant_id = $1 and id in
           (select old.id from tool_call_unjudged old
             where old.tenant_id = $1 and old.asked_at < $2
               and not exists (select from session
                                where session.tenant_id = $1 and session.id = old.session_id and session.state = 'open')
             order by old.asked_at limit ${String(BATCH)})`,
        [tenantId, before],
      ),
    );
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
        const tenants = await systemQuery.work('audit_retention_tenants');
        await eachTenant(tenants, (tenantId) => log.erasePayloads.execute(tenantId));
      },
    },
    {
      name: 'kept-answers',
      round: async () => {
        const tenants = await systemQuery.work('idempotency_expired_tenants', new Date());
        await eachTenant(tenants, dropExpiredAnswers);
      },
    },
    {
      name: 'slack-interactions',
      round: async () => {
        const before = new Date(Date.now() - INTERACTION_AGE_MS);
        const tenants = await systemQuery.work('slack_interaction_done_tenants', before);
        await eachTenant(tenants, (tenantId) => dropInteractions(tenantId, before));
      },
    },
    {
      name: 'delivered-messages',
      round: async () => {
        const before = new Date(Date.now() - DELIVERED_AGE_MS);
        const tenants = await systemQuery.work('outbox_delivered_tenants', before);
        await eachTenant(tenants, (tenantId) => dropDelivered(tenantId, before));
      },
    },
    {
      name: 'runner-calls',
      round: async () => {
        const before = new Date(Date.now() - RUNNER_CALL_AGE_MS);
        const tenants = await systemQuery.work('runner_dispatch_ended_tenants', before);
        await eachTenant(tenants, (tenantId) => dropRunnerCalls(tenantId, before));
      },
    },
    {
      name: 'webhook-deliveries',
      round: async () => {
        const before = new Date(Date.now() - WEBHOOK_DELIVERY_AGE_MS);
        const tenants = await systemQuery.work('webhook_settled_tenants', before);
        await eachTenant(tenants, (tenantId) => dropWebhookDeliveries(tenantId, before));
      },
    },
    {
      name: 'webhooks-off',
      round: async () => {
        const tenants = await systemQuery.work('webhook_given_up_tenants');
        await eachTenant(tenants, giveUpWebhookDeliveries);
        await eachTenant(tenants, emptyRemovedWebhooks);
      },
    },
    {
      name: 'hook-executions',
      round: async () => {
        const before = new Date(Date.now() - HOOK_EXECUTION_AGE_MS);
        const tenants = await systemQuery.work('lifecycle_hook_settled_tenants', before);
        await eachTenant(tenants, (tenantId) => dropHookExecutions(tenantId, before));
      },
    },
    {
      name: 'automation-runs',
      round: async () => {
        const before = new Date(Date.now() - automationRunDays * 24 * 3_600_000);
        const tenants = await systemQuery.work('automation_run_ended_tenants', before);
        await eachTenant(tenants, (tenantId) => dropAutomationRuns(uow, tenantId, before));
      },
    },
    {
      name: 'unused-automations',
      round: async () => {
        const before = new Date(Date.now() - UNUSED_AUTOMATION_AGE_MS);
        const tenants = await systemQuery.work('automation_unused_tenants', before);
        await eachTenant(tenants, (tenantId) => dropUnusedAutomations(uow, tenantId, before));
      },
    },
    {
      name: 'unjudged-calls',
      round: async () => {
        const before = new Date(Date.now() - UNJUDGED_CALL_AGE_MS);
        const tenants = await systemQuery.work('tool_call_unjudged_old', before);
        await eachTenant(tenants, (tenantId) => dropUnjudgedCalls(tenantId, before));
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
