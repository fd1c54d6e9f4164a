import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeChangeRequestRepository } from './change-request.repository.contract.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';

describeChangeRequestRepository('FakeChangeRequestRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, changes: new FakeChangeRequestRepository(world.uow) });
});
