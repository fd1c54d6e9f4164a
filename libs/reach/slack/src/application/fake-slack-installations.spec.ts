import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeSlackInstallations } from './fake-slack-installations.js';
import { describeSlackInstallations } from './slack-installations.contract.js';

describeSlackInstallations('FakeSlackInstallations', () => {
  const world = fakeClockedWorld();
  const installations = new FakeSlackInstallations(world.uow, [world.home, world.other]);
  return Promise.resolve({ world, installations });
});
