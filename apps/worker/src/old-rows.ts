const DAY_MS = 24 * 3_600_000;
const MONTH_MS = 30 * DAY_MS;
const BATCH = 1_000;

/** Rows of one table that are of no use after some time. */
export interface OldRows {
  /** The name of the work that deletes them. */
  readonly name: string;
  /** The function that finds the tenants with rows from before a moment. */
  readonly tenants: string;
  readonly ageMs: number;
  /** Deletes a batch: `$1` is the tenant, and `$2` the moment. */
  readonly statement: string;
}

/** The oldest rows that no other worker deletes. */
const batchBy = (column: string): string => `order by old.${column} limit ${String(BATCH)} for update skip locked`;

export const OLD_ROWS: readonly OldRows[] = [
  {
    // The answers of repeated requests say themselves when they expire.
    name: 'kept-answers',
    tenants: 'idempotency_expired_tenants',
    ageMs: 0,
    statement: `delete from idempotency_record where tenant_id = $1 and id in
      (select old.id from idempotency_record old
        where old.tenant_id = $1 and old.expires_at <= least($2, clock_timestamp()) ${batchBy('expires_at')})`,
  },
  {
    // A click is good for five minutes; it is kept for a day, so that its result can be seen. It may hold a reviewer's comment.
    name: 'slack-interactions',
    tenants: 'slack_interaction_done_tenants',
    ageMs: DAY_MS,
    statement: `delete from slack_interaction where tenant_id = $1 and id in
      (select old.id from slack_interaction old
        where old.tenant_id = $1 and old.done_at < $2 ${batchBy('done_at')})`,
  },
  {
    // A delivered message is kept as proof that it was sent. A parent is deleted after its copies; an undelivered copy still needs its parent.
    name: 'delivered-messages',
    tenants: 'outbox_delivered_tenants',
    ageMs: MONTH_MS,
    statement: `delete from outbox_message where tenant_id = $1 and id in
      (select old.id from outbox_message old
        where old.tenant_id = $1 and old.state = 'delivered' and old.delivered_at < $2
          and not exists (select from outbox_message spread where spread.tenant_id = $1 and spread.cause_id = old.id)
        ${batchBy('delivered_at')})`,
  },
  {
    // A call for a runner, with its output. Its answer stands with its run or its single call. A worker may have been away for as long:
    // the answer to a call that is still awaited stays for it.
    name: 'runner-calls',
    tenants: 'runner_dispatch_ended_tenants',
    ageMs: MONTH_MS,
    statement: `delete from runner_dispatch where tenant_id = $1 and id in
      (select old.id from runner_dispatch old
        where old.tenant_id = $1 and old.ended_at < $2
          and not exists (select from tool_call one
                           where one.tenant_id = $1 and one.id = old.source_id and one.state = 'executing')
          and not exists (select from run_step one
                           where one.tenant_id = $1 and one.run_id = old.source_id and one.lease_until is not null)
        ${batchBy('ended_at')})`,
  },
  {
    // An event that was delivered to a webhook, or given up: the delivery log goes back so far.
    name: 'webhook-deliveries',
    tenants: 'webhook_settled_tenants',
    ageMs: MONTH_MS,
    statement: `delete from webhook_delivery where tenant_id = $1 and id in
      (select old.id from webhook_delivery old
        where old.tenant_id = $1 and old.state <> 'pending' and old.settled_at < $2 ${batchBy('settled_at')})`,
  },
  {
    // An execution of a hook that has ended: the log of executions goes back so far.
    name: 'hook-executions',
    tenants: 'lifecycle_hook_settled_tenants',
    ageMs: MONTH_MS,
    statement: `delete from lifecycle_hook_execution where tenant_id = $1 and id in
      (select old.id from lifecycle_hook_execution old
        where old.tenant_id = $1 and old.settled_at < $2 ${batchBy('settled_at')})`,
  },
  {
    // A call that lacked a fact, in no open session: its name gets the same answer for so long. The service may not lock such a row.
    name: 'unjudged-calls',
    tenants: 'tool_call_unjudged_old',
    ageMs: MONTH_MS,
    statement: `delete from tool_call_unjudged where tenant_id = $1 and id in
      (select old.id from tool_call_unjudged old
        where old.tenant_id = $1 and old.asked_at < $2
          and not exists (select from session
                           where session.tenant_id = $1 and session.id = old.session_id and session.state = 'open')
        order by old.asked_at limit ${String(BATCH)})`,
  },
];
