import { createHash } from 'node:crypto';
import { createOnDuty } from '#lib/delivery';
import { newId, type CredentialId } from '#lib/kernel';
import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { sampleInstalled } from '../application/fake-slack-app.js';
import { describeSlackLinks } from '../application/slack-links.contract.js';
import { SqlSlackInstallations } from './sql-slack-installations.js';
import { SqlSlackLinks } from './sql-slack-links.js';

const open = clockedWorlds();

describeSlackLinks('SqlSlackLinks', async () => {
  const world = await open();
  const { home, uow, db } = world;
  const installations = new SqlSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty());
  const now = () => uow.run(home.tenantId, async (tx) => new Date(await tx.now()));
  // No two tenants have one app in one workspace.
  const close = async (): Promise<void> => {
    await db.owner.query('delete from slack_installation');
  };
  return {
    world: { ...world, close },
    links: new SqlSlackLinks(),
    credential: async (personId, lifetimeMs) => {
      const id = newId<CredentialId>();
      const digest = createHash('sha256').update(id).digest();
      const at = await now();
      await db.owner.query(
        `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at, seal)
         values ($1, $2, 'slack_link', $3, 'test', 'test', $4, '{read,review}', $5, $6, $7)`,
        [home.tenantId, id, personId, digest, at, new Date(at.getTime() + lifetimeMs), FORGED_SEAL],
      );
      return { id, digest };
    },
    revoke: async (id) => {
      await db.owner.query('update credential set revoked_at = $2 where id = $1', [id, await now()]);
    },
    revoked: async (id) => {
      const query = 'select from credential where id = $1 and revoked_at is not null';
      return (await db.owner.query(query, [id])).rowCount === 1;
    },
    disable: async (personId) => {
      await db.owner.query('update person set disabled_at = $2 where id = $1', [personId, await now()]);
    },
    install: async (team) => {
      const by = home.admin.personId;
      await uow.run(home.tenantId, (tx) => installations.saveInstallation(tx, sampleInstalled(team), by));
    },
  };
});
