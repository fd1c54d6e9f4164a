import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeSlackInstallations } from './fake-slack-installations.js';
import { FakeSlackMessages } from './fake-slack-messages.js';
import { FakeSlackPace } from './fake-slack-pace.js';
import { describeSlackMessages } from './slack-messages.contract.js';

describeSlackMessages('FakeSlackMessages', () => {
  const world = fakeClockedWorld();
  const installations = new FakeSlackInstallations(world.uow, [world.home, world.other]);
  const messages = new FakeSlackMessages(world.uow, new FakeSlackPace(world.uow), installations);
  return Promise.resolve({ world, installations, messages });
});
