import { MoreThanOrEqual } from 'typeorm';
import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import { newId, type IncidentId, type PageRequest, type Tx } from '#lib/kernel';
import type { Page, PageQueue } from '../application/incident.ports.js';
import type { PageAction } from '../domain/page-event.js';
import { incidentPageEntity } from './incident.entity.js';

const COLUMN = incidentPageEntity.column;
const NEW_PAGE = incidentPageEntity.pick('id', 'incidentId', 'action', 'state', 'nextAttemptAt', 'createdAt');
const FIRST = incidentPageEntity.as('first');
const INCIDENT_PAGE = incidentPageEntity.as('incident_page');
const PAGE = incidentPageEntity.as('page');
const BEFORE = incidentPageEntity.as('before');

/** The creation time as a page of a list names it: in whole milliseconds. */
const CREATED_MS = 'floor(extract(epoch from created_at) * 1000)::bigint';
const PAGE_ROW = incidentPageEntity.pick('id', 'incidentId', 'action', 'state', 'attempts', 'lastError', 'createdAt');
const COLUMNS = PAGE_ROW.columns('incident_page');
const ERROR_CHARACTERS = 2_000;

/** Events for PagerDuty, in PostgreSQL. */
export class SqlPageQueue implements PageQueue {
  async write(tx: Tx, incidentId: IncidentId, action: PageAction): Promise<void> {
    await sqlOf(tx).execute(
      `insert into ${NEW_PAGE.into}
       select $1, $2, $3, $4, 'pending', clock_timestamp(), clock_timestamp()
        where $4 = 'trigger' or exists (
          select from incident_page first where first.tenant_id = $1 and ${FIRST.incidentId} = $3 and ${FIRST.action} = 'trigger')
       on conflict (tenant_id, ${COLUMN.incidentId}, ${COLUMN.action}) do nothing`,
      [tx.tenantId, newId(), incidentId, action],
    );
  }

  async claim(tx: Tx, id: string, leaseMs: number): Promise<Page | null> {
    const [row] = await sqlOf(tx).query<object>(
      `update incident_page set ${COLUMN.attempts} = ${INCIDENT_PAGE.attempts} + 1,
         ${COLUMN.nextAttemptAt} = clock_timestamp() + $3 * interval '1 millisecond'
        where tenant_id = $1 and ${INCIDENT_PAGE.id} = (
          select ${PAGE.id} from incident_page page
           where page.tenant_id = $1 and ${PAGE.id} = $2 and ${PAGE.state} = 'pending' and ${PAGE.nextAttemptAt} <= clock_timestamp()
             and not exists (
               select from incident_page before
                where before.tenant_id = $1 and ${BEFORE.incidentId} = ${PAGE.incidentId} and ${BEFORE.id} < ${PAGE.id}
                  and ${BEFORE.state} = 'pending')
             for update skip locked)
        returning ${COLUMNS}`,
      [tx.tenantId, id, leaseMs],
    );
    return row === undefined ? null : PAGE_ROW.row(row);
  }

  async sent(tx: Tx, id: string): Promise<void> {
    const sent = { state: 'sent', sentAt: DATABASE_CLOCK, lastError: null } as const;
    await rowsOf(tx, incidentPageEntity).update({ id, state: 'pending' }, sent);
  }

  async postpone(tx: Tx, id: string, error: string, delayMs: number): Promise<void> {
    await sqlOf(tx).execute(
      `update incident_page set ${COLUMN.nextAttemptAt} = clock_timestamp() + $3 * interval '1 millisecond', ${COLUMN.lastError} = $4
        where tenant_id = $1 and ${INCIDENT_PAGE.id} = $2 and ${INCIDENT_PAGE.state} = 'pending'`,
      [tx.tenantId, id, delayMs, error.slice(0, ERROR_CHARACTERS)],
    );
  }

  async giveUp(tx: Tx, id: string, error: string): Promise<void> {
    const lastError = error.slice(0, ERROR_CHARACTERS);
    await rowsOf(tx, incidentPageEntity).update({ id, state: 'pending' }, { state: 'failed', lastError });
  }

  of(tx: Tx, incidentId: IncidentId): Promise<readonly Page[]> {
    return rowsOf(tx, incidentPageEntity).find({ incidentId }, { order: { id: 'asc' } });
  }

  async failed(tx: Tx, { after, limit }: PageRequest): Promise<readonly Page[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${COLUMNS} from incident_page
        where tenant_id = $1 and ${INCIDENT_PAGE.state} = 'failed'
          and ($2::bigint is null or (${CREATED_MS}, ${INCIDENT_PAGE.id}) < ($2::bigint, $3::uuid))
        order by ${CREATED_MS} desc, ${INCIDENT_PAGE.id} desc limit $4`,
      [tx.tenantId, after?.at ?? null, after?.id ?? null, limit],
    );
    return rows.map((row) => PAGE_ROW.row(row));
  }

  lock(tx: Tx, id: string): Promise<Page | null> {
    return rowsOf(tx, incidentPageEntity).findOne({ id }, { lock: 'update' });
  }

  async retry(tx: Tx, { id, incidentId }: Page): Promise<void> {
    const again = { state: 'pending', attempts: 0, sentAt: null, nextAttemptAt: DATABASE_CLOCK } as const;
    await rowsOf(tx, incidentPageEntity).update({ incidentId, id: MoreThanOrEqual(id) }, again);
  }
}
