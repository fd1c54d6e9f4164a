import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeEnvironmentRepository } from './environment.repository.contract.js';
import { FakeEnvironmentRepository } from './fake-environment.repository.js';

describeEnvironmentRepository('FakeEnvironmentRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    environments: new FakeEnvironmentRepository(world.uow, [world.home, world.other]),
  });
});
