import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { Census, RoleCensus } from '../application/autonomy.ports.js';

/** People and agents in PostgreSQL. Disabled ones do not count, nor do agents of automations, which ask nobody. */
export class SqlRoleCensus implements RoleCensus {
  async count(tx: Tx): Promise<Census> {
    const sql = sqlOf(tx);
    const held = await sql.query<{ readonly roles: string[]; readonly people: number; readonly enrolled: number }>(
      `select held.roles, count(*)::integer as people, (count(*) filter (where held.enrolled))::integer as enrolled
       from (
         select exists (
             select from factor
             where factor.tenant_id = person.tenant_id and factor.person_id = person.id and factor.state = 'active'
           ) as enrolled,
           coalesce(array_agg(role_assignment.role order by role_assignment.role) filter (where role_assignment.role is not null), '{}') as roles
         from person
         left join role_assignment
           on role_assignment.tenant_id = person.tenant_id and role_assignment.person_id = person.id and role_assignment.revoked_at is null
         where person.tenant_id = $1 and person.disabled_at is null
         group by person.tenant_id, person.id
       ) held
       group by held.roles
       order by held.roles`,
      [tx.tenantId],
    );
    const agents = await sql.query<{ readonly name: string; readonly owner_roles: string[] }>(
      `select agent.name,
         coalesce(array_agg(role_assignment.role order by role_assignment.role) filter (where role_assignment.role is not null), '{}') as owner_roles
       from agent
       left join role_assignment
         on role_assignment.tenant_id = agent.tenant_id and role_assignment.person_id = agent.owner_person_id and role_assignment.revoked_at is null
       where agent.tenant_id = $1 and agent.disabled_at is null
         and not exists (select from credential where credential.tenant_id = agent.tenant_id and credential.agent_id = agent.id and credential.kind = 'automation')
       group by agent.id, agent.name
       order by agent.name
       limit 1000`,
      [tx.tenantId],
    );
    const names = await sql.query<{ readonly role: string }>(
      'select distinct role from role_assignment where tenant_id = $1 order by role',
      [tx.tenantId],
    );
    return {
      holders: held.map(({ roles, people }) => ({ roles, people })),
      enrolled: held.filter(({ enrolled }) => enrolled > 0).map(({ roles, enrolled }) => ({ roles, people: enrolled })),
      agents: agents.map(({ name, owner_roles: ownerRoles }) => ({ name, ownerRoles })),
      roles: names.map(({ role }) => role),
    };
  }
}
