import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePreferenceStore } from './fake-preference-store.js';
import { describePreferenceStore } from './preference-store.contract.js';

describePreferenceStore('FakePreferenceStore', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, preferences: new FakePreferenceStore(world.uow) });
});
