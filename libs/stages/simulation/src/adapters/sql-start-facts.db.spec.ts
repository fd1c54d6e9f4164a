import type { RowSeals } from '#lib/kernel';
import { createPlanStore } from '#lib/plan';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { PlanRecords } from '../../../../../test/support/plan-records.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { describeStartFacts } from '../application/start-facts.contract.js';
import { SqlStartFacts } from './sql-start-facts.js';
import { SqlSimulationRepository } from './sql-simulation.repository.js';

const seals = testSeals();
const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };

describeStartFacts('SqlStartFacts', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return Object.assign(new PlanRecords(world, seals), {
    facts: new SqlStartFacts(seals, createPlanStore(seals).contents),
    simulations: new SqlSimulationRepository(),
    newDecision: () => rows.newDecision(),
  });
});

it('refuses an autonomy document with the seal of another key (T42)', async () => {
  const world = await postgresWorld();
  const records = new PlanRecords(world, forging);
  const held = world.uow.run(world.home.tenantId, async (tx) => {
    const task = sampleTask(world.home);
    const plan = samplePlan(world.home, task);
    await records.tasks.insert(tx, task);
    await records.plans.insert(tx, plan, { tools: [], targets: [] });
    await records.putAutonomy(tx, { autonomy: { mode: 'full_auto' } });
    return new SqlStartFacts(seals, createPlanStore(seals).contents).hold(tx, plan.id);
  });
  await expect(held).rejects.toMatchObject({ failure: { code: 'record.not_authentic' } });
  await world.close();
});
