import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSafeToolRepository } from './fake-safe-tool.repository.js';
import { describeSafeToolRepository } from './safe-tool.repository.contract.js';

describeSafeToolRepository('FakeSafeToolRepository', () => {
  const world = fakeWorld();
  const entries = new FakeSafeToolRepository(world.uow);
  return Promise.resolve({ world, entries, forge: (tx, entry) => entries.forge(tx, entry) });
});
