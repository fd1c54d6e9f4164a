import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSessionTrustRepository } from './fake-session-trust-repository.js';
import { describeSessionTrustRepository } from './session-trust-repository.contract.js';

describeSessionTrustRepository('FakeSessionTrustRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    trusts: new FakeSessionTrustRepository(world.uow),
    keepSession: () => Promise.resolve(),
  });
});
