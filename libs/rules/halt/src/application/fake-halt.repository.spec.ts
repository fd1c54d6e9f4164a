import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeHaltRepository } from './fake-halt.repository.js';
import { describeHaltRepository } from './halt.repository.contract.js';

describeHaltRepository('FakeHaltRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, halts: new FakeHaltRepository(world.uow) });
});
