import { sqlOf } from '#lib/database';
import type { PlanId, Tx } from '#lib/kernel';
import type { ToolUsage } from '#lib/tool';

/** Which plans hold a tool: validated revisions of tasks that have not ended. */
export class TypeormToolUsage implements ToolUsage {
  async livePlans(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, readonly PlanId[]>> {
    const rows = await sqlOf(tx).query<{ tool_name: string; plan_ids: string[] }>(
      `select plan_tool.tool_name, array_agg(distinct plan.id) as plan_ids
         from plan_tool
         join plan on plan.tenant_id = plan_tool.tenant_id and plan.id = plan_tool.plan_id
         join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id
        where plan_tool.tenant_id = $1
          and plan_tool.tool_name = any ($2::text[])
          and plan.state = 'validated'
          and task.state in ('created', 'planned', 'executing')
        group by plan_tool.tool_name`,
      [tx.tenantId, names],
    );
    return new Map(rows.map((row) => [row.tool_name, row.plan_ids as PlanId[]]));
  }
}
