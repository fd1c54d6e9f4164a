import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeSlackMessages } from './fake-slack-messages.js';
import { FakeSlackPace } from './fake-slack-pace.js';
import { describeSlackPace } from './slack-pace.contract.js';

describeSlackPace('FakeSlackPace', () => {
  const world = fakeClockedWorld();
  const messages = new FakeSlackMessages(world.uow);
  return Promise.resolve({ world, messages, pace: new FakeSlackPace(world.uow, messages) });
});
