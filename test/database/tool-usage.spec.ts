import { createPlanStore } from '#lib/plan';
import { postgresWorld } from '../support/postgres-world.js';
import { testSeals } from '../support/seals.js';
import { StageRows } from '../support/stage-rows.js';
import { samplePlan } from '../../libs/stages/plan/src/application/fake-plan.js';
import { sampleTask } from '../../libs/stages/task/src/application/fake-task.js';
import { sampleTool } from '../../libs/registry/tool/src/application/fake-tool.js';
import { describeToolUsage } from '../../libs/registry/tool/src/application/tool-usage.contract.js';
import { SqlToolUsage } from '../../libs/registry/tool/src/adapters/sql-tool-usage.js';

describeToolUsage('SqlToolUsage', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  const { plans } = createPlanStore(testSeals());
  const tools = ['look', 'rollout', 'restart'].map((name) => sampleTool(name));
  for (const tool of tools) await rows.keepTool(tool);
  return {
    world,
    usage: new SqlToolUsage(),
    keepPlan: async (names) => {
      const task = sampleTask(world.home);
      await rows.keepTask(task);
      const plan = samplePlan(world.home, task);
      const held = tools.filter(({ name }) => names.includes(name));
      await world.uow.run(world.home.tenantId, (tx) => plans.insert(tx, plan, { tools: held, targets: [] }));
      return plan.id;
    },
    endPlan: (id) => world.uow.run(world.home.tenantId, (tx) => plans.setState(tx, id, 'withdrawn', 0)),
  };
});
