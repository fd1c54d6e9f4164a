import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { endOf, firstId, monthsBetween, startOf, type Month } from '../domain/months-between.js';

/**
 * The months of a stretch without their decisions in the database, the oldest first: the tenant's log has leaves of such a month, and
 * neither is its table a part of the decisions, nor has another part any of them.
 *
 * @param from epoch milliseconds, as `until` is.
 */
export async function decisionMonthsAway(tx: Tx, from: number, until: number): Promise<readonly Month[]> {
  const months = monthsBetween(from, until);
  const rows = await sqlOf(tx).query<{ month: Month }>(
    `select asked.month from unnest($2::text[], $3::uuid[], $4::uuid[]) asked (month, low, high)
      where not exists (select from pg_inherits
                         where inhparent = 'decision'::regclass
                           and inhrelid = to_regclass('decision_' || replace(asked.month, '-', '_')))
        and exists (select from audit_leaf leaf
                     where leaf.tenant_id = $1 and leaf.entry_id >= asked.low and leaf.entry_id < asked.high)
        and not exists (select from decision
                         where decision.tenant_id = $1 and decision.id >= asked.low and decision.id < asked.high)
      order by asked.month`,
    [tx.tenantId, months, months.map((month) => firstId(startOf(month))), months.map((month) => firstId(endOf(month)))],
  );
  return rows.map(({ month }) => month);
}
