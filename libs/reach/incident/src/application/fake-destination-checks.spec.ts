import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeDestinationChecks } from './destination-checks.contract.js';
import { FakeDestinationChecks } from './fake-destination-checks.js';

describeDestinationChecks('FakeDestinationChecks', () => {
  const world = fakeWorld();
  const checks = new FakeDestinationChecks(world.uow);
  return Promise.resolve({ world, checks, idOf: (tx, address) => Promise.resolve(checks.idOf(tx, address)) });
});
