import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { describePlanRepository } from '../application/plan.repository.contract.js';
import { TypeormPlanRepository } from './typeorm-plan.repository.js';

describePlanRepository('TypeormPlanRepository', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return {
    world,
    plans: new TypeormPlanRepository(),
    keepTask: (task) => rows.keepTask(task),
    keepTool: (tool) => rows.keepTool(tool),
    newDecision: () => rows.newDecision(),
  };
});
