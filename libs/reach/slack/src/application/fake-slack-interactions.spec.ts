import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeSlackInteractions } from './fake-slack-interactions.js';
import { describeSlackInteractions } from './slack-interactions.contract.js';

describeSlackInteractions('FakeSlackInteractions', () => {
  const world = fakeClockedWorld();
  const jobs = new FakeJobQueue(world.uow);
  const interactions = new FakeSlackInteractions(world.uow, jobs);
  const outcome = (id: string) =>
    Promise.resolve(interactions.of(world.home).find((row) => row.id === id)?.outcome ?? null);
  return Promise.resolve({ world, interactions, jobs, outcome });
});
