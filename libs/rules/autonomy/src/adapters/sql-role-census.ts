import { sqlOf } from '#lib/database';
import { agentEntity, credentialEntity, personEntity, roleAssignmentEntity } from '#lib/identity';
import type { Tx } from '#lib/kernel';
import { factorEntity } from '#lib/mfa';
import type { Census, RoleCensus } from '../application/autonomy.ports.js';

const FACTOR = factorEntity.as('factor');
const PERSON = personEntity.as('person');
const ROLE_ASSIGNMENT = roleAssignmentEntity.as('role_assignment');
const AGENT = agentEntity.as('agent');
const CREDENTIAL = credentialEntity.as('credential');

/** People and agents in PostgreSQL. Disabled ones do not count, nor do agents of automations, which ask nobody. */
export class SqlRoleCensus implements RoleCensus {
  async count(tx: Tx): Promise<Census> {
    const sql = sqlOf(tx);
    const held = await sql.query<{ readonly roles: string[]; readonly people: number; readonly enrolled: number }>(
      `select held.roles, count(*)::integer as people, (count(*) filter (where held.enrolled))::integer as enrolled
       from (
         select exists (
             select from factor
             where factor.tenant_id = person.tenant_id and ${FACTOR.personId} = ${PERSON.id} and ${FACTOR.state} = 'active'
           ) as enrolled,
           coalesce(array_agg(${ROLE_ASSIGNMENT.role} order by ${ROLE_ASSIGNMENT.role}) filter (where ${ROLE_ASSIGNMENT.role} is not null),
             '{}') as roles
         from person
         left join role_assignment
           on role_assignment.tenant_id = person.tenant_id and ${ROLE_ASSIGNMENT.personId} = ${PERSON.id}
             and ${ROLE_ASSIGNMENT.revokedAt} is null
         where person.tenant_id = $1 and ${PERSON.disabledAt} is null
         group by person.tenant_id, ${PERSON.id}
       ) held
       group by held.roles
       order by held.roles`,
      [tx.tenantId],
    );
    const agents = await sql.query<{ readonly name: string; readonly owner_roles: string[] }>(
      `select ${AGENT.name} as name,
         coalesce(array_agg(${ROLE_ASSIGNMENT.role} order by ${ROLE_ASSIGNMENT.role}) filter (where ${ROLE_ASSIGNMENT.role} is not null),
           '{}') as owner_roles
       from agent
       left join role_assignment
         on role_assignment.tenant_id = agent.tenant_id and ${ROLE_ASSIGNMENT.personId} = ${AGENT.ownerPersonId}
           and ${ROLE_ASSIGNMENT.revokedAt} is null
       where agent.tenant_id = $1 and ${AGENT.disabledAt} is null
         and not exists (select from credential where credential.tenant_id = agent.tenant_id and ${CREDENTIAL.agentId} = ${AGENT.id}
           and ${CREDENTIAL.kind} = 'automation')
       group by ${AGENT.id}, ${AGENT.name}
       order by ${AGENT.name}
       limit 1000`,
      [tx.tenantId],
    );
    const names = await sql.query<{ readonly role: string }>(
      `select distinct ${ROLE_ASSIGNMENT.role} as role from role_assignment where tenant_id = $1 order by ${ROLE_ASSIGNMENT.role}`,
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
