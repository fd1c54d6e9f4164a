import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeCredentials } from './fake-credentials.js';
import { FakeExternalIdentityRepository } from './fake-external-identity.repository.js';
import { FakePasskeyAccountRepository } from './fake-passkey-account.repository.js';
import { FakePeople } from './fake-people.js';
import { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';
import { describePasskeyAccountRepository } from './passkey-account.repository.contract.js';

describePasskeyAccountRepository('FakePasskeyAccountRepository', () => {
  const world = fakeWorld();
  const { uow, home } = world;
  const [settings, people] = [new FakeSignInSettingsRepository(uow), new FakePeople(uow)];
  const identities = new FakeExternalIdentityRepository(uow, settings, new FakeCredentials(uow));
  for (const { personId } of [home.owner, home.admin])
    people.add(home, { id: personId, email: `${personId}@example.com` });
  const accounts = new FakePasskeyAccountRepository(uow, { people, identities, settings });
  return Promise.resolve({
    world,
    accounts,
    identities,
    settings,
    passkey: (personId, passkeyId) => {
      accounts.register(passkeyId, { tenantId: home.tenantId, personId });
      return Promise.resolve();
    },
  });
});
