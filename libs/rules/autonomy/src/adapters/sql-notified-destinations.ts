import { rowsOf, sqlOf } from '#lib/database';
import { INCIDENT_ROLES } from '#lib/formats';
import { personEntity, roleAssignmentEntity } from '#lib/identity';
import type { Tx } from '#lib/kernel';
import { tenantEntity } from '#lib/tenancy';
import type { NotifiedDestinations } from '../application/autonomy.ports.js';

const HELD = roleAssignmentEntity.as('held');
const PERSON = personEntity.as('person');

interface UnansweredRow {
  readonly name: string;
  readonly addresses: string[] | null;
  readonly error: string | null;
}

/** The destinations of incidents and their test messages, in PostgreSQL. */
export class SqlNotifiedDestinations implements NotifiedDestinations {
  async unanswered(
    tx: Tx,
    names: readonly string[],
  ): Promise<readonly { readonly name: string; readonly why: string }[]> {
    if (names.length === 0) return [];
    // Locks the settings until the transaction ends. A change of the settings locks in the same order.
    await rowsOf(tx, tenantEntity).findOne({ id: tx.tenantId }, { lock: 'share' });
    const rows = await sqlOf(tx).query<UnansweredRow>(
      `select wanted.name, array_agg(mapped.address order by mapped.address) filter (where mapped.address is not null) as addresses,
         min(known.error) as error
       from unnest($2::text[]) as wanted (name)
       left join incident_setting setting on setting.tenant_id = $1
       left join lateral jsonb_array_elements_text(setting.destinations -> wanted.name) as mapped (address) on true
       left join incident_destination_check known on known.tenant_id = $1 and known.address = mapped.address
       group by wanted.name
       having bool_or(known.address is not null and known.error is null) is not true
       order by wanted.name`,
      [tx.tenantId, names],
    );
    return rows.map(({ name, addresses, error }) => ({ name, why: whyOf(addresses, error) }));
  }

  async tellsAnother(tx: Tx, roles: readonly string[]): Promise<boolean> {
    const notified = await sqlOf(tx).query<{ readonly may_invoke: boolean }>(
      `select bool_or(${HELD.role} = any ($3::text[])) as may_invoke
         from person join role_assignment held on held.tenant_id = person.tenant_id and ${HELD.personId} = ${PERSON.id}
           and ${HELD.revokedAt} is null
        where person.tenant_id = $1 and person_can_come_in(person)
        group by ${PERSON.id}
       having bool_or(${HELD.role} = any ($2::text[]))
        limit 2`,
      [tx.tenantId, INCIDENT_ROLES, roles],
    );
    return notified.length > 1 || notified.some(({ may_invoke: mayInvoke }) => !mayInvoke);
  }
}

function whyOf(addresses: readonly string[] | null, error: string | null): string {
  if (addresses === null) return 'has no address under Settings, Incidents';
  return error === null
    ? `has no address that took a test message: ${addresses.join(', ')}`
    : `did not take the last test message (${error})`;
}
