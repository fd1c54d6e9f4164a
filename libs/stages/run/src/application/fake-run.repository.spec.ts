import { type DecisionId, newId, type PlanId, type TaskId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunContractWorld } from './fake-run-contract.js';
import type { PlanOfRun } from './fake-run-list.js';
import { FakeRunRepository } from './fake-run.repository.js';
import { describeRunRepository } from './run.repository.contract.js';

describeRunRepository('runs in memory', () => {
  const world = fakeWorld();
  const { home } = world;
  const plans = new Map<PlanId, PlanOfRun>();
  const runs = new FakeRunRepository(world.uow, (id) => plans.get(id));
  const opened: RunContractWorld = {
    ...world,
    runs,
    plan: ({
      environment = home.staging,
      submitter = home.agent,
      taskSubmitter = submitter,
      tool = 'deploy',
      target = 'host-1',
    } = {}) => {
      const planId = newId<PlanId>();
      plans.set(planId, {
        environment: environment.name,
        agentId: submitter.kind === 'agent' ? submitter.agentId : null,
        taskAgentId: taskSubmitter.kind === 'agent' ? taskSubmitter.agentId : null,
        people: submitter.kind === 'agent' ? [] : [submitter.personId],
        tools: [tool],
        targets: [target],
      });
      return Promise.resolve({
        planId,
        taskId: newId<TaskId>(),
        environmentId: environment.id,
        decisionId: newId<DecisionId>(),
      });
    },
    forge: (id) =>
      world.uow.run(home.tenantId, (tx) => {
        runs.forge(tx, id);
        return Promise.resolve();
      }),
  };
  return Promise.resolve(opened);
});
