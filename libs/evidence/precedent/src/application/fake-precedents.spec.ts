import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePrecedents } from './fake-precedents.js';
import { describePrecedents } from './precedents.contract.js';

describePrecedents('FakePrecedents', () => {
  const world = fakeWorld();
  const precedents = new FakePrecedents(world.uow);
  return Promise.resolve({ world, precedents, keep: (tx, all) => precedents.keep(tx, all) });
});
