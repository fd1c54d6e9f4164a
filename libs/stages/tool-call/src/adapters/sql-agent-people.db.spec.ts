import { sqlOf } from '#lib/database';
import { newId, type AgentId } from '#lib/kernel';
import { sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { TenantRows } from '../../../../../test/support/tenant-rows.js';
import { describeAgentPeople } from '../application/agent-people.contract.js';
import { SqlAgentPeople } from './sql-agent-people.js';

describeAgentPeople('SqlAgentPeople', async () => {
  const world = await postgresWorld();
  const { uow, home } = world;
  const { tenantId } = home;
  const rows = new TenantRows(uow, tenantId);
  const run = (text: string, ...more: readonly unknown[]) =>
    uow.run(tenantId, (tx) => sqlOf(tx).execute(text, [tenantId, ...more]));
  const now = () => uow.run(tenantId, (tx) => tx.now());
  return {
    world,
    people: new SqlAgentPeople(),
    person: async () => {
      const person = samplePerson(tenantId);
      await rows.person(person);
      return person.personId;
    },
    agent: async (ownerId) => {
      const agentId = newId<AgentId>();
      await run(
        `insert into agent (tenant_id, id, name, description, owner_person_id, created_at)
         values ($1, $2::uuid, 'agent-' || $2::text, '', $3, clock_timestamp())`,
        agentId,
        ownerId,
      );
      return agentId;
    },
    own: async (agentId, ownerId) => {
      await run('update agent set owner_person_id = $3 where tenant_id = $1 and id = $2', agentId, ownerId);
    },
    token: async (agentId, madeBy, usedAt) => {
      const made = { ...sampleAgent(home.owner), agentId };
      await rows.token(made, { ...home.admin, personId: madeBy });
      if (usedAt !== null)
        await run(
          'update credential set last_used_at = $3 where tenant_id = $1 and id = $2',
          made.credentialId,
          new Date(usedAt),
        );
      return made.credentialId;
    },
    later: async () => {
      const before = await now();
      while ((await now()) <= before);
    },
  };
});
