import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeOutboxRepository } from './fake-outbox.repository.js';
import { describeOutboxRepository } from './outbox.repository.contract.js';

describeOutboxRepository('FakeOutboxRepository', () => {
  const world = fakeWorld();
  const jobs = new FakeJobQueue(world.uow);
  return Promise.resolve({ world, outbox: new FakeOutboxRepository(world.uow, jobs), jobs });
});
