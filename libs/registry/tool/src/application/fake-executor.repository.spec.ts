import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeExecutorRepository } from './executor.repository.contract.js';
import { FakeExecutorRepository } from './fake-executor.repository.js';

describeExecutorRepository('FakeExecutorRepository', () => {
  const world = fakeWorld();
  const { production, staging } = world.home;
  return Promise.resolve({ world, executors: new FakeExecutorRepository(world.uow, [production, staging]) });
});
