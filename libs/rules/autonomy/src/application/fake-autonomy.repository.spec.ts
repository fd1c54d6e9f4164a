import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeAutonomyRepository } from './autonomy.repository.contract.js';
import { FakeAutonomyRepository } from './fake-autonomy.repository.js';

describeAutonomyRepository('FakeAutonomyRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, revisions: new FakeAutonomyRepository(world.uow) });
});
