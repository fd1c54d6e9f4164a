import { newId, type ToolCallId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeCallOutputStore } from './call-output.store.contract.js';
import { FakeCallOutputStore } from './fake-call-output.store.js';

describeCallOutputStore('FakeCallOutputStore', () => {
  const world = fakeWorld();
  const newCall = () => Promise.resolve(newId<ToolCallId>());
  return Promise.resolve({ world, output: new FakeCallOutputStore(world.uow), newCall });
});
