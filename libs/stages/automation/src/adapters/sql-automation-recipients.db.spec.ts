import { sqlOf } from '#lib/database';
import type { PersonId, PersonPrincipal } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { SqlAutomationRecipients } from './sql-automation-recipients.js';

it('is the person accountable for the agent now; the enabled admins if that person is absent or disabled', async () => {
  const world = await postgresWorld();
  const { tenantId, owner, admin, agent } = world.home;
  const run = (text: string, ...more: readonly unknown[]) =>
    world.uow.run(tenantId, (tx) => sqlOf(tx).execute(text, [tenantId, ...more]));
  const disable = ({ personId }: PersonPrincipal) =>
    run('update person set disabled_at = clock_timestamp() where tenant_id = $1 and id = $2', personId);
  const identity = { agentId: agent.agentId, credentialId: agent.credentialId, ownerId: admin.personId };
  const told = (of: typeof identity | null): Promise<readonly PersonId[]> =>
    world.uow.run(tenantId, (tx) => new SqlAutomationRecipients().of(tx, { identity: of }));
  try {
    expect(await told(identity)).toEqual([owner.personId]);
    expect(await told(null)).toEqual([]);
    await run(
      `insert into role_assignment (tenant_id, id, person_id, role, assigned_at, seal)
       values ($1, gen_random_uuid(), $2, 'PlatformAdmin', clock_timestamp(), 'key.' || repeat('A', 43))`,
      admin.personId,
    );
    expect(await told(identity)).toEqual([owner.personId]);
    expect(await told(null)).toEqual([admin.personId]);
    await disable(owner);
    expect(await told(identity)).toEqual([admin.personId]);
    await disable(admin);
    expect(await told(identity)).toEqual([]);
  } finally {
    await world.close();
  }
});
