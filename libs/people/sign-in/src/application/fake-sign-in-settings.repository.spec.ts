import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';
import { describeSignInSettingsRepository } from './sign-in-settings.repository.contract.js';

describeSignInSettingsRepository('FakeSignInSettingsRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, settings: new FakeSignInSettingsRepository(world.uow) });
});
