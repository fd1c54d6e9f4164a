import { sqlOf } from '#lib/database';
import { newId, type RunId, type Tx } from '#lib/kernel';
import { createPlanStore } from '#lib/plan';
import { countedStatements } from '../../../../../test/support/counted-statements.js';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { samplePending } from '../application/fake-simulation.js';
import { describeSimulationOutcomeRepository } from '../application/simulation-outcome.repository.contract.js';
import { SqlSimulationOutcomeRepository } from './sql-simulation-outcome.repository.js';
import { SqlSimulationRepository } from './sql-simulation.repository.js';

type World = Awaited<ReturnType<typeof postgresWorld>>;

/** A task with a plan and a pending simulation of it. */
async function simulated({ uow, home }: World, rows: StageRows) {
  const task = sampleTask(home);
  const plan = samplePlan(home, task, { decisionId: await rows.newDecision() });
  const pending = samplePending(plan, plan.decisionId === null ? {} : { decisionId: plan.decisionId });
  await rows.keepTask(task);
  await uow.run(home.tenantId, async (tx) => {
    await createPlanStore(testSeals()).plans.insert(tx, plan, { tools: [], targets: [] });
    await new SqlSimulationRepository().insert(tx, pending);
  });
  return pending;
}

const queue = (tx: Tx, id: RunId, planId: string): Promise<unknown> =>
  sqlOf(tx).query(
    `insert into run (tenant_id, id, task_id, plan_id, plan_digest, headline, risk, environment_id, decision_id, approved_terms, state,
                      phases, started_by, created_at, updated_at, seal)
     select plan.tenant_id, $2, plan.task_id, plan.id, plan.digest, plan.headline, plan.risk, task.environment_id, plan.decision_id, '{}', 'queued',
            'all', '{}', clock_timestamp(), clock_timestamp(), $3
       from plan join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id where plan.id = $1`,
    [planId, id, FORGED_SEAL],
  );

describeSimulationOutcomeRepository('SqlSimulationOutcomeRepository', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return {
    world,
    outcomes: new SqlSimulationOutcomeRepository(),
    keepSimulation: async () => (await simulated(world, rows)).id,
    keepRun: async () => {
      const id = newId<RunId>();
      const { planId } = await simulated(world, rows);
      await world.uow.run(world.home.tenantId, (tx) => queue(tx, id, planId));
      return id;
    },
  };
});

it('never changes an outcome (42501)', async () => {
  const world = await postgresWorld();
  await expect(world.db.app.query("update simulation_outcome set actual = '{}'")).rejects.toMatchObject({
    code: '42501',
  });
  await world.close();
});

it('keeps any number of outcomes by the same statement', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  const textsOf = async (tools: readonly string[]): Promise<readonly string[]> => {
    const { id: simulationId, planId } = await simulated(world, rows);
    const outcomes = tools.map((tool) => ({
      simulationId,
      tool,
      predicted: { calls: 1, affected_assets: 1, duration_minutes: 1, risk: 'low' } as const,
      actual: { calls: 1, failed: 0, affected_assets: 1, duration_minutes: 1 },
    }));
    const { statements } = await countedStatements(() =>
      world.uow.run(world.home.tenantId, async (tx) => {
        const id = newId<RunId>();
        await queue(tx, id, planId);
        await new SqlSimulationOutcomeRepository().insert(tx, id, outcomes);
      }),
    );
    return statements.filter((text) => /^insert into "?simulation_outcome"? ?\(/i.test(text));
  };
  const one = await textsOf(['drain']);
  expect(one).toHaveLength(1);
  expect(await textsOf(['drain', 'rollout'])).toEqual(one);
  await world.close();
});
