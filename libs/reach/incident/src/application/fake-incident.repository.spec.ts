import { newId, type RunId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeIncidentRepository } from './fake-incident.repository.js';
import { describeIncidentRepository } from './incident.repository.contract.js';

describeIncidentRepository('FakeIncidentRepository', () => {
  const world = fakeWorld();
  const { production, tenantId } = world.home;
  // The incidents of the contract are due when its clock stands here.
  world.uow.now = Date.UTC(2026, 11, 1);
  const incidents = new FakeIncidentRepository(world.uow, () => production);
  return Promise.resolve({
    world,
    incidents,
    newPlan: () =>
      Promise.resolve({ taskId: newId(), planId: newId(), environmentId: production.id, decisionId: newId() }),
    keepRun: ({ id }) => {
      const runId = newId<RunId>();
      incidents.runs.of({ tenantId }).set(id, { runId, runState: 'cancelled' });
      return Promise.resolve(runId);
    },
  });
});
