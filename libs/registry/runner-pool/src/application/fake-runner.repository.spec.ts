import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { describeRunnerRepository } from './runner.repository.contract.js';

describeRunnerRepository('FakeRunnerRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, runners: new FakeRunnerRepository(world.uow) });
});
