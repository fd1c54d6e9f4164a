import { newId, type ChangeRequestId } from '#lib/kernel';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeWaitingSlackSecrets } from '../application/waiting-slack-secrets.contract.js';
import { TypeormWaitingSlackApps } from './typeorm-waiting-slack-apps.js';

describeWaitingSlackSecrets('TypeormWaitingSlackApps', async () => {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  return {
    world,
    waiting: new TypeormWaitingSlackApps(testKeys().wrapping),
    change: async (kind) => {
      const id = newId<ChangeRequestId>();
      await world.db.owner.query(
        `insert into change_request (tenant_id, id, kind, state, subject_type, subject_id, what, reason, payload, base_digest,
           change_digest, loosens, detail, required_role, requested_by, credential_id, opened_at, expires_at, seal)
         values ($1::uuid, $2, $3, 'open', 'tenant', $1::text, 'x', 'x', '{}', $4, $4, '["x"]', '{}', 'PlatformAdmin', $5, $6,
           now(), now() + interval '1 day', $7)`,
        [tenantId, id, kind, `sha256:${'0'.repeat(64)}`, admin.personId, admin.credentialId, FORGED_SEAL],
      );
      return id;
    },
    end: async (change) => {
      const end = "update change_request set state = 'voided', closed_at = now(), closed_reason = 'x' where id = $1";
      await world.db.owner.query(end, [change]);
    },
  };
});
