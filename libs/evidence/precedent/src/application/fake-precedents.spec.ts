import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePrecedents } from './fake-precedents.js';
import { describePrecedents } from './precedents.contract.js';

describePrecedents('FakePrecedents', () => {
  const world = fakeWorld();
  const precedents = new FakePrecedents(world.uow);
  const keep: FakePrecedents['keep'] = (tx, all) => precedents.keep(tx, all);
  return Promise.resolve({ world, precedents, keep, load: keep });
});
