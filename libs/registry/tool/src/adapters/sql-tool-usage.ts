import { sqlOf } from '#lib/database';
import type { PlanId, Tx } from '#lib/kernel';
import type { ToolUsage } from '../application/tool.ports.js';

/** The states of a live plan: from its submission until it was executed or came to nothing. */
const LIVE = ['draft', 'validated', 'simulated', 'awaiting_approval', 'approved', 'executing'];

/** Live plans by the tools they hold: table plan_tool, and the view plan_status. */
export class SqlToolUsage implements ToolUsage {
  async livePlans(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, readonly PlanId[]>> {
    if (names.length === 0) return new Map();
    const rows = await sqlOf(tx).query<{ readonly tool_name: string; readonly plans: PlanId[] }>(
      `select held.tool_name, array_agg(distinct held.plan_id order by held.plan_id) as plans
       from plan_tool held
       join plan_status on plan_status.tenant_id = held.tenant_id and plan_status.plan_id = held.plan_id
       where held.tenant_id = $1 and held.tool_name = any ($2::text[]) and plan_status.status = any ($3::text[])
       group by held.tool_name`,
      [tx.tenantId, [...names], LIVE],
    );
    return new Map(rows.map((row) => [row.tool_name, row.plans]));
  }
}
