import { newId, type RunId } from '#lib/kernel';
import { createPlanStore } from '#lib/plan';
import { createRunStore } from '#lib/run';
import type { ContractWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { samplePlan } from '../../libs/stages/plan/src/application/fake-plan.js';
import { sampleRun, runIn } from '../../libs/stages/run/src/application/fake-run-samples.js';
import { sampleTask } from '../../libs/stages/task/src/application/fake-task.js';
import type { IncidentsOpened } from '../../libs/reach/incident/src/application/incident.repository.contract.js';
import { testSeals } from './seals.js';
import { StageRows } from './stage-rows.js';

/** Puts the rows into PostgreSQL that incidents refer to, and their runs. */
export function incidentRows(world: ContractWorld): Pick<IncidentsOpened, 'newPlan' | 'keepRun'> {
  const rows = new StageRows(world);
  const { runs } = createRunStore({ uow: world.uow, seals: testSeals() });
  return {
    newPlan: async () => {
      const { home, uow } = world;
      const task = sampleTask(home);
      await rows.keepTask(task);
      const plan = samplePlan(home, task);
      await uow.run(home.tenantId, (tx) =>
        createPlanStore(testSeals()).plans.insert(tx, plan, { tools: [], targets: [] }),
      );
      const decisionId = await rows.newDecision();
      return { taskId: task.id, planId: plan.id, environmentId: task.environmentId, decisionId };
    },
    keepRun: async (incident) => {
      const run = sampleRun(incident, {
        id: newId<RunId>(),
        authority: { kind: 'break_glass', incidentId: incident.id },
      });
      await world.uow.run(world.home.tenantId, async (tx) => {
        await runs.insert(tx, run, []);
        await runs.save(tx, runIn(run, 'cancelled'));
      });
      return run.id;
    },
  };
}
