import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSignInReturnRepository } from './fake-sign-in-return.repository.js';
import { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';
import { describeSignInReturnRepository } from './sign-in-return.repository.contract.js';

describeSignInReturnRepository('FakeSignInReturnRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    returns: new FakeSignInReturnRepository(world.uow),
    settings: new FakeSignInSettingsRepository(world.uow),
  });
});
