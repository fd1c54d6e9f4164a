import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTaskRepository } from './fake-task.repository.js';
import { describeTaskRepository } from './task.repository.contract.js';

describeTaskRepository('FakeTaskRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, tasks: new FakeTaskRepository(world.uow) });
});
