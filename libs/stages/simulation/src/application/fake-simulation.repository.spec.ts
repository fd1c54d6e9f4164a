import { type DecisionId, newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSimulationRepository } from './fake-simulation.repository.js';
import { describeSimulationRepository } from './simulation.repository.contract.js';

describeSimulationRepository('FakeSimulationRepository', () => {
  const world = fakeWorld();
  const simulations = new FakeSimulationRepository(world.uow);
  return Promise.resolve({
    world,
    simulations,
    keepPlan: (plan, { environmentId }, targets) => {
      simulations.touched.set(plan.id, { environmentId, targets });
      return Promise.resolve();
    },
    newDecision: () => Promise.resolve(newId<DecisionId>()),
  });
});
