import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeRunnerDispatchRepository } from './fake-runner-dispatch.repository.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { describeRunnerDispatchRepository } from './runner-dispatch.repository.contract.js';

describeRunnerDispatchRepository('FakeRunnerDispatchRepository', () => {
  const world = fakeWorld();
  const [calls, runners] = [new FakeRunnerDispatchRepository(world.uow), new FakeRunnerRepository(world.uow)];
  return Promise.resolve({ world, calls, runners });
});
