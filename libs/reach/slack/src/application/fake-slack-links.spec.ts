import { createHash } from 'node:crypto';
import { newId, type CredentialId } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { sampleInstalled } from './fake-slack-app.js';
import { FakeSlackInstallations } from './fake-slack-installations.js';
import { FakeSlackLinks } from './fake-slack-links.js';
import { describeSlackLinks } from './slack-links.contract.js';

describeSlackLinks('FakeSlackLinks', () => {
  const world = fakeClockedWorld();
  const installations = new FakeSlackInstallations(world.uow, [world.home, world.other]);
  const links = new FakeSlackLinks(world.uow, installations);
  const credentials = () => links.credentials.of(world.home);
  return Promise.resolve({
    world,
    links,
    credential: (_personId, lifetimeMs) => {
      const id = newId<CredentialId>();
      const digest = createHash('sha256').update(id).digest();
      credentials().set(id, { digest, expiresAt: world.uow.now + lifetimeMs, revoked: false });
      return Promise.resolve({ id, digest });
    },
    revoke: (id) => {
      const credential = credentials().get(id);
      if (credential) credentials().set(id, { ...credential, revoked: true });
      return Promise.resolve();
    },
    revoked: (id) => Promise.resolve(credentials().get(id)?.revoked === true),
    disable: (personId) => {
      links.disabled.of(world.home).set(personId, true);
      return Promise.resolve();
    },
    install: async (team) => {
      await world.uow.run(world.home.tenantId, (tx) => installations.saveInstallation(tx, sampleInstalled(team)));
    },
  });
});
