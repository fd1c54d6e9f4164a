import { In, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { personEntity } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { OnDuty } from '../application/delivery.ports.js';
import { onDutyEntity } from './delivery.entity.js';

const COLUMN = onDutyEntity.column;
const NEW_ON_DUTY = onDutyEntity.pick('personId', 'since');
const PERSON = personEntity.as('person');

/** People on duty in PostgreSQL, table on_duty. */
export class SqlOnDuty implements OnDuty {
  async list(tx: Tx): Promise<readonly PersonId[]> {
    const rows = await rowsOf(tx, onDutyEntity).find({}, { order: { since: 'asc', personId: 'asc' } });
    return rows.map(({ personId }) => personId);
  }

  async set(tx: Tx, people: readonly PersonId[]): Promise<void> {
    await rowsOf(tx, onDutyEntity).delete({ personId: Not(In([...people])) });
    await sqlOf(tx).execute(
      `insert into ${NEW_ON_DUTY.into}
       select $1, ${PERSON.id}, clock_timestamp() from person where person.tenant_id = $1 and ${PERSON.id} = any ($2::uuid[])
       on conflict (tenant_id, ${COLUMN.personId}) do nothing`,
      [tx.tenantId, people],
    );
  }
}
