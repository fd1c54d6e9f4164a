import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeGrantRepository } from './fake-grant.repository.js';
import { describeGrantRepository } from './grant.repository.contract.js';

describeGrantRepository('FakeGrantRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, grants: new FakeGrantRepository(world.uow) });
});
