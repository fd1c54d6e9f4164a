import { TypeormPlanRepository } from '#lib/plan';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { describeSimulationRepository } from '../application/simulation.repository.contract.js';
import { TypeormSimulationRepository } from './typeorm-simulation.repository.js';

describeSimulationRepository('TypeormSimulationRepository', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return {
    world,
    simulations: new TypeormSimulationRepository(),
    keepPlan: async (plan, task, targets) => {
      await rows.keepTask(task);
      await world.uow.run(world.home.tenantId, (tx) =>
        new TypeormPlanRepository().insert(tx, plan, { tools: [], targets }),
      );
    },
    newDecision: () => rows.newDecision(),
  };
});
