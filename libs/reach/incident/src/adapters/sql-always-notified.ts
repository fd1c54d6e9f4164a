import { sqlOf } from '#lib/database';
import { INCIDENT_ROLES } from '#lib/formats';
import { personEntity, roleAssignmentEntity } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { AlwaysNotified, ReachesAddresses, NotifiedPerson } from '../application/incident.ports.js';

const PERSON = personEntity.as('person');
const HELD = roleAssignmentEntity.as('held');

/** PlatformAdmins and SecurityReviewers in PostgreSQL, and the channels that reach them. */
export class SqlAlwaysNotified implements AlwaysNotified {
  constructor(private readonly reaches: Pick<ReachesAddresses, 'reaching'>) {}

  async read(tx: Tx): Promise<NotifiedPerson[]> {
    const rows = await sqlOf(tx).query<{ readonly id: PersonId; readonly displayName: string }>(
      `select ${PERSON.id}, countersign_shown_name(person) as "displayName"
         from person
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null and exists (
          select from role_assignment held
           where held.tenant_id = person.tenant_id and ${HELD.personId} = ${PERSON.id} and ${HELD.role} = any ($2::text[])
             and ${HELD.revokedAt} is null)
        order by ${PERSON.id}`,
      [tx.tenantId, INCIDENT_ROLES],
    );
    const reaching = await this.reaches.reaching(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id, displayName }) => ({ id, displayName, by: reaching.get(id) ?? [] }));
  }
}
