import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeAgentReports } from '../application/agent-reports.contract.js';
import { SqlAgentReports } from './sql-agent-reports.js';

describeAgentReports('SqlAgentReports', async () => {
  const world = await postgresWorld();
  return {
    world,
    reports: new SqlAgentReports(),
    minutePasses: async () => {
      await world.db.owner.query(
        `update agent_report_pace set minute = minute - interval '1 minute' where tenant_id = $1`,
        [world.home.tenantId],
      );
    },
  };
});
