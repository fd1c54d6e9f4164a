import { sqlOf } from '#lib/database';
import { PLATFORM_ADMIN } from '#lib/formats';
import { agentEntity, personEntity, roleAssignmentEntity } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { AutomationRecipients } from '../application/automation.ports.js';
import type { Automation } from '../domain/automation.js';

const PERSON = personEntity.as('person');
const AGENT = agentEntity.as('agent');
const HELD = roleAssignmentEntity.as('held');

/** The recipients of messages about automations in PostgreSQL. */
export class SqlAutomationRecipients implements AutomationRecipients {
  async of(tx: Tx, { identity }: Pick<Automation, 'identity'>): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `with owner as (
         select ${PERSON.id} from agent
           join person on person.tenant_id = agent.tenant_id and ${PERSON.id} = ${AGENT.ownerPersonId}
          where agent.tenant_id = $1 and ${AGENT.id} = $2 and ${PERSON.disabledAt} is null)
       select id from owner
       union
       select ${PERSON.id} from person
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null and not exists (select from owner)
          and exists (select from role_assignment held
                       where held.tenant_id = $1 and ${HELD.personId} = ${PERSON.id} and ${HELD.role} = $3
                         and ${HELD.revokedAt} is null)
       order by id`,
      [tx.tenantId, identity?.agentId ?? null, PLATFORM_ADMIN],
    );
    return rows.map((row) => row.id);
  }
}
