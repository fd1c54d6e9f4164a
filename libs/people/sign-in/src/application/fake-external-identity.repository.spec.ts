import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeExternalIdentityRepository } from './external-identity.repository.contract.js';
import { FakeCredentials } from './fake-credentials.js';
import { FakeExternalIdentityRepository } from './fake-external-identity.repository.js';
import { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';

describeExternalIdentityRepository('FakeExternalIdentityRepository', () => {
  const world = fakeWorld();
  const [settings, credentials] = [new FakeSignInSettingsRepository(world.uow), new FakeCredentials(world.uow)];
  const identities = new FakeExternalIdentityRepository(world.uow, settings, credentials);
  return Promise.resolve({ world, identities, settings, credentials });
});
