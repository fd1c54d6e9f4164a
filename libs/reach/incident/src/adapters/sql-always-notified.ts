import { sqlOf } from '#lib/database';
import { INCIDENT_ROLES } from '#lib/formats';
import type { PersonId, Tx } from '#lib/kernel';
import type { AlwaysNotified, ReachesAddresses, NotifiedPerson } from '../application/incident.ports.js';

/** PlatformAdmins and SecurityReviewers in PostgreSQL, and the channels that reach them. */
export class SqlAlwaysNotified implements AlwaysNotified {
  constructor(private readonly reaches: Pick<ReachesAddresses, 'reaching'>) {}

  async read(tx: Tx): Promise<NotifiedPerson[]> {
    const rows = await sqlOf(tx).query<{ readonly id: PersonId; readonly displayName: string }>(
      `select person.id, countersign_shown_name(person) as "displayName"
         from person
        where person.tenant_id = $1 and person.disabled_at is null and exists (
          select from role_assignment held
           where held.tenant_id = person.tenant_id and held.person_id = person.id and held.role = any ($2::text[])
             and held.revoked_at is null)
        order by person.id`,
      [tx.tenantId, INCIDENT_ROLES],
    );
    const reaching = await this.reaches.reaching(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id, displayName }) => ({ id, displayName, by: reaching.get(id) ?? [] }));
  }
}
