import type { PersonId, PersonPrincipal } from '#lib/kernel';
import { createMfaStore } from '#lib/mfa';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleSettings } from '../application/fake-issuer.js';
import { samplePasskey } from '../application/fake-passkey.js';
import { describePasskeyAccountRepository } from '../application/passkey-account.repository.contract.js';
import { SqlPasskeyAccountRepository } from './sql-passkey-account.repository.js';
import { SqlSignInStandings } from './sql-sign-in-standings.js';
import { SqlExternalIdentityRepository } from './sql-external-identity.repository.js';
import { SqlSignInSettingsRepository } from './sql-sign-in-settings.repository.js';

async function store() {
  const [world, seals] = [await postgresWorld(), testSeals()];
  return {
    world,
    accounts: new SqlPasskeyAccountRepository(world.db.systemQuery),
    identities: new SqlExternalIdentityRepository(seals),
    settings: new SqlSignInSettingsRepository(seals),
    passkey: (personId: PersonId, passkeyId: string): Promise<void> =>
      world.uow.run(world.home.tenantId, (tx) =>
        createMfaStore(seals).factors.insert(tx, samplePasskey({ personId, passkeyId })),
      ),
  };
}

describePasskeyAccountRepository('SqlPasskeyAccountRepository', store);

it('a passkey that was removed is located no more', async () => {
  const { world, accounts, passkey } = await store();
  const { personId } = world.home.owner;
  await passkey(personId, 'passkey-1');
  await world.db.owner.query("update factor set state = 'removed', removed_at = now()");
  expect(await accounts.locate('passkey-1', personId)).toBeNull();
  await world.close();
});

it('only a link of the operator counts as a sign-in while issuers are the only way in', async () => {
  const { world, accounts, settings } = await store();
  const { tenantId, owner, admin } = world.home;
  const standings = new SqlSignInStandings(world.db.systemQuery);
  const signedInAt = async (): Promise<PersonPrincipal['signedInAt'] | undefined> =>
    (await standings.read(tenantId, owner.personId))?.signedInAt;
  const mark = (letInByOperator: boolean): Promise<void> =>
    world.uow.run(tenantId, (tx) => accounts.markSignedIn(tx, owner.personId, letInByOperator));
  await mark(false);
  const before = await signedInAt();
  if (typeof before !== 'number') throw new Error('a passkey counts as a sign-in here');
  const required = sampleSettings({ signInRequired: true });
  await world.uow.run(tenantId, (tx) => settings.save(tx, required, admin.personId));
  expect(await signedInAt()).toBe('never');
  await mark(true);
  expect(await signedInAt()).toBeGreaterThanOrEqual(before);
  await world.close();
});
