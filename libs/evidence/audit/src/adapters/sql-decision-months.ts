import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { decisionEntity } from '#lib/policy';
import { endOf, firstId, monthsBetween, startOf, type Month } from '../domain/months-between.js';
import { auditLeafEntity } from './audit.entity.js';

const LEAF = auditLeafEntity.as('leaf');
const DECISION = decisionEntity.as('decision');

/**
 * The months of a stretch without their decisions in the database, the oldest first. The tenant's log has leaves of such a month within
 * the stretch. The month's table is no part of the decisions, and no other part has any of that month.
 *
 * The database does not know whether a month ever had a table. So a month without one is named, too, if the tenant had no decision in
 * it: before a move to this installation, or while no worker added tables.
 *
 * @param from epoch milliseconds, as `until` is.
 */
export async function decisionMonthsAway(tx: Tx, from: number, until: number): Promise<readonly Month[]> {
  const months = monthsBetween(from, until);
  const rows = await sqlOf(tx).query<{ month: Month }>(
    `select asked.month
       from unnest($2::text[], $3::uuid[], $4::uuid[]) asked (month, low, high)
      where not exists (select from pg_inherits
                         where inhparent = 'decision'::regclass
                           and inhrelid = to_regclass('decision_' || replace(asked.month, '-', '_')))
        and exists (select from audit_leaf leaf
                     where leaf.tenant_id = $1 and ${LEAF.entryId} >= greatest(asked.low, $5::uuid)
                       and ${LEAF.entryId} < least(asked.high, $6::uuid))
        and not exists (select from decision
                         where decision.tenant_id = $1 and ${DECISION.id} >= asked.low and ${DECISION.id} < asked.high)
      order by asked.month`,
    [
      tx.tenantId,
      months,
      months.map((month) => firstId(startOf(month))),
      months.map((month) => firstId(endOf(month))),
      firstId(from),
      firstId(until),
    ],
  );
  return rows.map(({ month }) => month);
}
