import { newId, type RunId, type SimulationId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSimulationOutcomeRepository } from './fake-simulation-outcome.repository.js';
import { describeSimulationOutcomeRepository } from './simulation-outcome.repository.contract.js';

describeSimulationOutcomeRepository('FakeSimulationOutcomeRepository', () => {
  const world = fakeWorld();
  const outcomes = new FakeSimulationOutcomeRepository(world.uow);
  return Promise.resolve({
    world,
    outcomes,
    keepSimulation: () => Promise.resolve(newId<SimulationId>()),
    keepRun: () => Promise.resolve(newId<RunId>()),
  });
});
