import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeSlackPace } from './fake-slack-pace.js';
import { describeSlackPace } from './slack-pace.contract.js';

describeSlackPace('FakeSlackPace', () => {
  const world = fakeClockedWorld();
  return Promise.resolve({ world, pace: new FakeSlackPace(world.uow) });
});
