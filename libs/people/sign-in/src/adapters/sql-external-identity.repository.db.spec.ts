import { createDirectory } from '#lib/identity';
import { newId } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import {
  describeExternalIdentityRepository,
  type IdentityStore,
} from '../application/external-identity.repository.contract.js';
import { sampleSettings } from '../application/fake-issuer.js';
import { SqlSignInStandings } from './sql-sign-in-standings.js';
import { SqlExternalIdentityRepository } from './sql-external-identity.repository.js';
import { SqlSignInSettingsRepository } from './sql-sign-in-settings.repository.js';

async function store(): Promise<IdentityStore & { readonly standings: SqlSignInStandings }> {
  const [world, seals] = [await postgresWorld(), testSeals()];
  const { credentials } = createDirectory({ system: world.db.systemQuery, seals });
  return {
    world,
    credentials,
    identities: new SqlExternalIdentityRepository(seals),
    settings: new SqlSignInSettingsRepository(seals),
    standings: new SqlSignInStandings(world.db.systemQuery),
  };
}

describeExternalIdentityRepository('SqlExternalIdentityRepository', store);

it('a sign-in at an issuer is the last sign-in of its person', async () => {
  const { world, identities, settings, standings } = await store();
  const { tenantId, owner, admin } = world.home;
  const read = () => standings.read(tenantId, owner.personId);
  expect(await read()).toMatchObject({ signedInAt: null, cameInAt: null, atIssuer: false });
  const at = await world.uow.run(tenantId, async (tx) => {
    await settings.save(tx, sampleSettings(), admin.personId);
    const [issuer] = (await settings.read(tx)).issuers;
    const identity = { id: newId(), issuerId: issuer?.id ?? '', subject: 'ada', personId: owner.personId };
    await identities.insert(tx, identity);
    const now = await tx.now();
    await identities.markSignedIn(tx, { ...identity, bearerCredentialId: null }, now + 7);
    return now + 7;
  });
  const standing = { signedInAt: at, cameInAt: at, atIssuer: true, reauthenticateAfterMinutes: 60 };
  expect(await read()).toMatchObject(standing);
  expect(await world.uow.run(tenantId, (tx) => standings.readWithin(tx, owner.personId))).toMatchObject(standing);
  expect(await standings.read(world.other.tenantId, owner.personId)).toBeNull();
  await world.close();
});
