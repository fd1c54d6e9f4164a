import { newId, type FactorId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeBrowserSessionRepository } from './browser-session.repository.contract.js';
import { FakeBrowserSessionRepository } from './fake-browser-session.repository.js';
import { FakeCredentials } from './fake-credentials.js';
import { FakeExternalIdentityRepository } from './fake-external-identity.repository.js';
import { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';

describeBrowserSessionRepository('FakeBrowserSessionRepository', () => {
  const world = fakeWorld();
  const [settings, credentials] = [new FakeSignInSettingsRepository(world.uow), new FakeCredentials(world.uow)];
  const identities = new FakeExternalIdentityRepository(world.uow, settings, credentials);
  const browserSessions = new FakeBrowserSessionRepository(world.uow, { credentials, identities, settings });
  return Promise.resolve({
    world,
    browserSessions,
    credentials,
    identities,
    settings,
    passkey: (_personId, name) => {
      const id = newId<FactorId>();
      browserSessions.name(id, name);
      return Promise.resolve(id);
    },
    used: (id, at) => {
      credentials.use(world.home, id, at);
      return Promise.resolve();
    },
  });
});
