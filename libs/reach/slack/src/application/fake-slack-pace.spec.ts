import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeSlackInstallations } from './fake-slack-installations.js';
import { FakeSlackMessages } from './fake-slack-messages.js';
import { FakeSlackPace } from './fake-slack-pace.js';
import { describeSlackPace } from './slack-pace.contract.js';

describeSlackPace('FakeSlackPace', () => {
  const world = fakeClockedWorld();
  const messages = new FakeSlackMessages(world.uow);
  const installations = new FakeSlackInstallations(world.uow, [world.home, world.other]);
  return Promise.resolve({
    world,
    messages,
    installations,
    pace: new FakeSlackPace(world.uow, messages, installations),
  });
});
