import { createDirectory } from '#lib/identity';
import { createMfaStore } from '#lib/mfa';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeBrowserSessionRepository } from '../application/browser-session.repository.contract.js';
import { samplePasskey } from '../application/fake-passkey.js';
import { SqlBrowserSessionRepository } from './sql-browser-session.repository.js';
import { SqlExternalIdentityRepository } from './sql-external-identity.repository.js';
import { SqlSignInSettingsRepository } from './sql-sign-in-settings.repository.js';

describeBrowserSessionRepository('SqlBrowserSessionRepository', async () => {
  const [world, seals] = [await postgresWorld(), testSeals()];
  return {
    world,
    browserSessions: new SqlBrowserSessionRepository(),
    credentials: createDirectory({ system: world.db.systemQuery, seals }).credentials,
    identities: new SqlExternalIdentityRepository(seals),
    settings: new SqlSignInSettingsRepository(seals),
    passkey: async (personId, name) => {
      const factor = samplePasskey({ personId, name });
      await world.uow.run(world.home.tenantId, (tx) => createMfaStore(seals).factors.insert(tx, factor));
      return factor.id;
    },
    used: async (id, at) => {
      await world.db.owner.query('update credential set last_used_at = $2 where id = $1', [id, new Date(at)]);
    },
  };
});
