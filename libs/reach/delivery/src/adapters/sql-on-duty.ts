import { In, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { OnDuty } from '../application/delivery.ports.js';
import { onDutyEntity } from './delivery.entity.js';

/** People on duty in PostgreSQL, table on_duty. */
export class SqlOnDuty implements OnDuty {
  async list(tx: Tx): Promise<readonly PersonId[]> {
    const rows = await rowsOf(tx, onDutyEntity).find({}, { order: { since: 'asc', personId: 'asc' } });
    return rows.map(({ personId }) => personId);
  }

  async set(tx: Tx, people: readonly PersonId[]): Promise<void> {
    await rowsOf(tx, onDutyEntity).delete({ personId: Not(In([...people])) });
    await sqlOf(tx).execute(
      `insert into on_duty (tenant_id, person_id, since)
       select $1, person.id, clock_timestamp() from person where person.tenant_id = $1 and person.id = any ($2::uuid[])
       on conflict (tenant_id, person_id) do nothing`,
      [tx.tenantId, people],
    );
  }
}
