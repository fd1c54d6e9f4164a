import { newId, type CredentialId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { SqlSubmitterStanding } from './sql-submitter-standing.js';

it('T17: a submitter is disabled by itself, by the owner of the agent, and by the person it acts for', async () => {
  const { uow, home, other, db, close } = await postgresWorld();
  const { agent, owner, admin, tenantId } = home;
  const credentialId = newId<CredentialId>();
  const byAgent: Submitter = { kind: 'agent', id: agent.agentId, onBehalfOf: null, credentialId };
  const submitters: readonly Submitter[] = [
    byAgent,
    { ...byAgent, onBehalfOf: admin.personId },
    { kind: 'person', id: admin.personId, onBehalfOf: null, credentialId },
    { kind: 'person', id: owner.personId, onBehalfOf: null, credentialId },
  ];
  const standing = new SqlSubmitterStanding();
  const disabled = (tenant = tenantId) =>
    uow.run(tenant, async (tx) => {
      const found: boolean[] = [];
      for (const submitter of submitters) found.push(await standing.isDisabled(tx, submitter));
      return found;
    });
  const set = (table: 'agent' | 'person', id: string, at: string) =>
    db.owner.query(`update ${table} set disabled_at = ${at} where id = $1`, [id]);
  expect(await disabled()).toEqual([false, false, false, false]);
  await set('agent', agent.agentId, 'clock_timestamp()');
  expect(await disabled()).toEqual([true, true, false, false]);
  await set('agent', agent.agentId, 'null');
  await set('person', owner.personId, 'clock_timestamp()');
  expect(await disabled()).toEqual([true, true, false, true]);
  await set('person', owner.personId, 'null');
  await set('person', admin.personId, 'clock_timestamp()');
  expect(await disabled()).toEqual([false, true, true, false]);
  expect(await disabled(other.tenantId)).toEqual([false, false, false, false]);
  await close();
});
