import { sqlOf } from '#lib/database';
import { INCIDENT_ROLES } from '#lib/formats';
import type { PersonId, Tx } from '#lib/kernel';
import type { AlwaysTold, ToldPerson } from '../application/incident.ports.js';

interface ToldRow {
  readonly id: PersonId;
  readonly display_name: string;
  readonly slack: boolean;
  readonly push: boolean;
}

/** PlatformAdmins and SecurityReviewers in PostgreSQL, and whether Slack or a browser's push reaches them. */
export class SqlAlwaysTold implements AlwaysTold {
  /** @param sendsMail whether this installation has a mail server: then mail reaches everybody. */
  constructor(private readonly sendsMail: boolean) {}

  async read(tx: Tx): Promise<ToldPerson[]> {
    const rows = await sqlOf(tx).query<ToldRow>(
      `select person.id, countersign_shown_name(person) as display_name,
         exists (select from slack_link link
           join slack_installation installation on installation.tenant_id = link.tenant_id and installation.team_id = link.team_id
           where link.tenant_id = person.tenant_id and link.person_id = person.id and link.ended_at is null) as slack,
         exists (select from push_subscription push
           where push.tenant_id = person.tenant_id and push.person_id = person.id and push.ended_at is null) as push
         from person
        where person.tenant_id = $1 and person.disabled_at is null and exists (
          select from role_assignment held
           where held.tenant_id = person.tenant_id and held.person_id = person.id and held.role = any ($2::text[])
             and held.revoked_at is null)
        order by person.id`,
      [tx.tenantId, INCIDENT_ROLES],
    );
    return rows.map(({ id, display_name: displayName, slack, push }) => ({
      id,
      displayName,
      by: [
        ...(this.sendsMail ? (['mail'] as const) : []),
        ...(slack ? (['slack'] as const) : []),
        ...(push ? (['push'] as const) : []),
      ],
    }));
  }
}
