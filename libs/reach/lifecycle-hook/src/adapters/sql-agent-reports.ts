import { sqlOf } from '#lib/database';
import type { AgentId, Tx } from '#lib/kernel';
import type { AgentReports } from '../application/agent-reports.ports.js';

/** The reports of agents in PostgreSQL: one row an agent. */
export class SqlAgentReports implements AgentReports {
  async count(tx: Tx, agentId: AgentId, most: number): Promise<boolean> {
    const counted = await sqlOf(tx).query(
      `insert into agent_report_pace as pace (tenant_id, agent_id, minute, reports)
       values ($1, $2, date_trunc('minute', clock_timestamp()), 1)
       on conflict (tenant_id, agent_id) do update
          set minute = excluded.minute,
              reports = case when pace.minute = excluded.minute then pace.reports + 1 else 1 end
        where pace.minute <> excluded.minute or pace.reports < $3
       returning 1`,
      [tx.tenantId, agentId, most],
    );
    return counted.length === 1;
  }
}
