import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeSlackMessages } from './fake-slack-messages.js';
import { describeSlackMessages } from './slack-messages.contract.js';

describeSlackMessages('FakeSlackMessages', () => {
  const world = fakeClockedWorld();
  return Promise.resolve({ world, messages: new FakeSlackMessages(world.uow) });
});
