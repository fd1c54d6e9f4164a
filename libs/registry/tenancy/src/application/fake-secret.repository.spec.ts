import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSecretRepository } from './fake-secret.repository.js';
import { describeSecretRepository } from './secret.repository.contract.js';

describeSecretRepository('FakeSecretRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, secrets: new FakeSecretRepository(world.uow) });
});
