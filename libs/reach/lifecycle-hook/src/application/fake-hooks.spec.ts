import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeHooks } from './fake-hooks.js';
import { describeHooks } from './hooks.contract.js';

describeHooks('FakeHooks', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, hooks: new FakeHooks(world.uow) });
});
