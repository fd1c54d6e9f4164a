import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeIdempotencyRecords } from './fake-idempotency-records.js';
import { describeIdempotencyRecords } from './idempotency-records.contract.js';

describeIdempotencyRecords('FakeIdempotencyRecords', () => {
  const world = fakeWorld();
  const passes = (ms: number): Promise<void> => {
    world.uow.now += ms;
    return Promise.resolve();
  };
  return Promise.resolve({ world, records: new FakeIdempotencyRecords(world.uow), passes });
});
