import { type Plan, createPlanStore } from '#lib/plan';
import type { Task } from '#lib/task';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { begun, samplePending } from '../application/fake-simulation.js';
import { describeSimulationRepository } from '../application/simulation.repository.contract.js';
import { SqlSimulationRepository } from './sql-simulation.repository.js';

/** Keeps a plan that changes these targets, and its task. */
const keepPlan = async (world: ContractWorld, plan: Plan, task: Task, targets: readonly string[]): Promise<void> => {
  await new StageRows(world).keepTask(task);
  await world.uow.run(world.home.tenantId, (tx) =>
    createPlanStore(testSeals()).plans.insert(tx, plan, { tools: [], targets }),
  );
};

describeSimulationRepository('SqlSimulationRepository', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return {
    world,
    simulations: new SqlSimulationRepository(),
    keepPlan: (plan, task, targets) => keepPlan(world, plan, task, targets),
    newDecision: () => rows.newDecision(),
  };
});

it('is due for a worker while there is something to do', async () => {
  const world = await postgresWorld();
  const { uow, home, db } = world;
  const simulations = new SqlSimulationRepository();
  const task = sampleTask(home);
  const plan = samplePlan(home, task);
  const pending = samplePending(plan, { decisionId: await new StageRows(world).newDecision(), nextAt: 5_000 });
  await keepPlan(world, plan, task, []);
  await uow.run(home.tenantId, (tx) => simulations.insert(tx, pending));
  const dueAt = async (at: number, held: readonly string[] = [], full: readonly string[] = []) =>
    (await db.systemQuery.call('simulation_execute_due', new Date(at), 1_000, held, full))
      .filter(({ tenantId }) => tenantId === home.tenantId)
      .map(({ id }) => id);
  expect(await dueAt(4_999)).toEqual([]);
  expect(await dueAt(5_000)).toEqual([pending.id]);
  expect([await dueAt(5_000, [pending.id]), await dueAt(5_000, [], [home.tenantId])]).toEqual([[], []]);
  await uow.run(home.tenantId, (tx) => simulations.save(tx, { ...begun(pending), nextAt: null }));
  expect(await dueAt(5_000)).toEqual([]);
  await world.close();
});
