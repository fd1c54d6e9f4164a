import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { describePlanRepository } from '../application/plan.repository.contract.js';
import { SqlPlanRepository } from './sql-plan.repository.js';

describePlanRepository('SqlPlanRepository', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return {
    world,
    plans: new SqlPlanRepository(),
    keepTask: (task) => rows.keepTask(task),
    keepTool: (tool) => rows.keepTool(tool),
    newDecision: () => rows.newDecision(),
  };
});
