import { sqlOf, type OldRows } from '#lib/database';

const AGE_MS = 30 * 24 * 3_600_000;
const BATCH = 1_000;

/** Calls that lacked a fact, in no open session: their names get the same answer for so long. */
export const oldUnjudgedCalls: OldRows = {
  name: 'unjudged-calls',
  tenants: 'tool_call_unjudged_old',
  ageMs: AGE_MS,
  // The service may not lock such a row.
  drop: (tx, before) =>
    sqlOf(tx).execute(
      `delete from tool_call_unjudged where tenant_id = $1 and id in
        (select old.id from tool_call_unjudged old
          where old.tenant_id = $1 and old.asked_at < $2
            and not exists (select from session
                             where session.tenant_id = $1 and session.id = old.session_id and session.state = 'open')
          order by old.asked_at limit ${String(BATCH)})`,
      [tx.tenantId, before],
    ),
};
