import { newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePageQueue } from './fake-page-queue.js';
import { describePageQueue } from './page-queue.contract.js';

describePageQueue('FakePageQueue', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    pages: new FakePageQueue(world.uow),
    newIncident: () => Promise.resolve(newId()),
  });
});
