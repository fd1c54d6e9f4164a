import { sqlOf } from '#lib/database';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { PersonId, Tx } from '#lib/kernel';
import type { AutomationRecipients } from '../application/automation.ports.js';
import type { Automation } from '../domain/automation.js';

/** The recipients of messages about automations in PostgreSQL. */
export class SqlAutomationRecipients implements AutomationRecipients {
  async of(tx: Tx, { identity }: Pick<Automation, 'identity'>): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `with owner as (
         select person.id from agent
           join person on person.tenant_id = agent.tenant_id and person.id = agent.owner_person_id
          where agent.tenant_id = $1 and agent.id = $2 and person.disabled_at is null)
       select id from owner
       union
       select person.id from person
        where person.tenant_id = $1 and person.disabled_at is null and not exists (select from owner)
          and exists (select from role_assignment held
                       where held.tenant_id = $1 and held.person_id = person.id and held.role = $3
                         and held.revoked_at is null)
       order by id`,
      [tx.tenantId, identity?.agentId ?? null, PLATFORM_ADMIN],
    );
    return rows.map((row) => row.id);
  }
}
