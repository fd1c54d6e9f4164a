import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeToolRepository } from './fake-tool.repository.js';
import { describeToolRepository } from './tool.repository.contract.js';

describeToolRepository('FakeToolRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, tools: new FakeToolRepository(world.uow) });
});
