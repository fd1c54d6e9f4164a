import { v7 } from 'uuid';
import type { Json } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import type { JobQueue, Outbox, OutboxMessage, PageRequest, Tx } from '#lib/kernel';
import type { OutboxEntry, OutboxRepository, OutboxState } from '../application/notify.ports.js';
import type { Place } from '../domain/place.js';
import { epochMs, toMs, toMsOrNull } from './epoch-ms.js';

interface OutboxRow {
  readonly id: string;
  readonly topic: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly place: string | null;
  readonly state: OutboxState;
  readonly attempts: number;
  readonly next_attempt_at: string;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly delivered_at: string | null;
}

const columns = `id, topic, payload, place, state, attempts, last_error,
  ${epochMs('next_attempt_at')} as next_attempt_at, ${epochMs('created_at')} as created_at,
  ${epochMs('delivered_at')} as delivered_at`;

const ERROR_CHARACTERS = 2_000;

/** The outbox: a table. Whoever writes a row wakes a worker. */
export class SqlOutbox implements Outbox, OutboxRepository {
  constructor(private readonly jobs: JobQueue) {}

  async write(tx: Tx, message: OutboxMessage): Promise<void> {
    await this.insert(tx, message.topic, message.payload);
  }

  private async insert(tx: Tx, topic: string, payload: Json): Promise<void> {
    const id = v7();
    sqlOf(tx).callAhead('outbox_append', [id, topic, JSON.stringify(payload)]);
    await this.jobs.enqueue(tx, 'outbox.deliver', id);
  }

  async spread(tx: Tx, cause: OutboxEntry, places: readonly Place[], leaseMs: number): Promise<OutboxEntry | null> {
    if (places.length === 0) return null;
    const rows = await sqlOf(tx).query<OutboxRow>(
      `insert into outbox_message
         (tenant_id, id, topic, payload, state, attempts, next_attempt_at, created_at, cause_id, place)
       select $1, wanted.id, $2, $3, 'pending', case position when 1 then 1 else 0 end,
              clock_timestamp() + case position when 1 then $7 else 0 end * interval '1 millisecond',
              clock_timestamp(), $4, wanted.place
         from unnest($5::uuid[], $6::text[]) with ordinality wanted (id, place, position)
       on conflict (tenant_id, cause_id, place) where cause_id is not null do nothing
       returning ${columns}`,
      [tx.tenantId, cause.topic, JSON.stringify(cause.payload), cause.id, places.map(() => v7()), places, leaseMs],
    );
    const entries = rows.map(toEntry);
    for (const { id, attempts } of entries) {
      if (attempts === 0) await this.jobs.enqueue(tx, 'outbox.deliver', id);
    }
    return entries.find(({ attempts }) => attempts === 1) ?? null;
  }

  async claim(tx: Tx, id: string, leaseMs: number): Promise<OutboxEntry | null> {
    const [row] = await sqlOf(tx).query<OutboxRow>(
      `update outbox_message set attempts = attempts + 1, next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond'
        where tenant_id = $1 and id = (
          select id from outbox_message
           where tenant_id = $1 and id = $2 and state = 'pending' and next_attempt_at <= clock_timestamp()
             for update skip locked)
        returning ${columns}`,
      [tx.tenantId, id, leaseMs],
    );
    return row === undefined ? null : toEntry(row);
  }

  async comesAfterPending(tx: Tx, entry: OutboxEntry): Promise<boolean> {
    const { run_id: runId } = entry.payload;
    if (runId === undefined || entry.place === null) return false;
    const [row] = await sqlOf(tx).query<{ readonly pending: boolean }>(
      `select exists (
         select from outbox_message earlier
          where earlier.tenant_id = $1 and earlier.state = 'pending' and earlier.topic = $2
            and earlier.payload ->> 'run_id' = $3 and earlier.last_error is null
            and (earlier.place is null or earlier.place = $4)
            and coalesce(earlier.cause_id, earlier.id)
              < (select cause_id from outbox_message own where own.tenant_id = $1 and own.id = $5)
       ) as pending`,
      [tx.tenantId, entry.topic, runId, entry.place, entry.id],
    );
    return row?.pending ?? false;
  }

  async comesBeforeSame(tx: Tx, entry: OutboxEntry): Promise<boolean> {
    const [row] = await sqlOf(tx).query<{ readonly waits: boolean }>(
      // One that was begun (attempts) may have read its subject before this one was written.
      `select exists (
         select from outbox_message later
          where later.tenant_id = $1 and later.state = 'pending' and later.attempts = 0
            and later.topic = $2 and later.place = $3 and later.id > $4
            and coalesce(later.payload ->> 'request_id', later.payload ->> 'run_id') = $5
       ) as waits`,
      [tx.tenantId, entry.topic, entry.place, entry.id, entry.payload.request_id ?? entry.payload.run_id ?? null],
    );
    return row?.waits ?? false;
  }

  delivered(tx: Tx, entry: OutboxEntry): Promise<void> {
    this.settle(tx, entry, `state = 'delivered', delivered_at = clock_timestamp(), last_error = null`, []);
    return Promise.resolve();
  }

  postpone(tx: Tx, entry: OutboxEntry, delayMs: number): Promise<void> {
    const set = `attempts = attempts - 1, next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'`;
    this.settle(tx, entry, set, [delayMs]);
    return Promise.resolve();
  }

  failedOnce(tx: Tx, entry: OutboxEntry, error: string, delayMs: number): Promise<void> {
    const set = `last_error = $4, next_attempt_at = clock_timestamp() + $5 * interval '1 millisecond'`;
    this.settle(tx, entry, set, [error.slice(0, ERROR_CHARACTERS), delayMs]);
    return Promise.resolve();
  }

  giveUp(tx: Tx, entry: OutboxEntry, error: string): Promise<void> {
    this.settle(tx, entry, `state = 'failed', last_error = $4`, [error.slice(0, ERROR_CHARACTERS)]);
    return Promise.resolve();
  }

  /** Written only where nobody else has begun another attempt meanwhile. */
  private settle(tx: Tx, entry: OutboxEntry, set: string, values: readonly unknown[]): void {
    sqlOf(tx).executeAhead(
      `update outbox_message set ${set} where tenant_id = $1 and id = $2 and attempts = $3 and state = 'pending'`,
      [tx.tenantId, entry.id, entry.attempts, ...values],
    );
  }

  async list(tx: Tx, state: OutboxState, page: PageRequest): Promise<readonly OutboxEntry[]> {
    const rows = await sqlOf(tx).query<OutboxRow>(
      `select ${columns} from outbox_message
        where tenant_id = $1 and state = $2
          and ($3::bigint is null or (created_at, id) < (to_timestamp(($3::bigint + 1) / 1000.0), $4::uuid)
               and (${epochMs('created_at')}, id) < ($3::bigint, $4::uuid))
        order by created_at desc, id desc limit $5`,
      [tx.tenantId, state, page.after?.at ?? null, page.after?.id ?? null, page.limit],
    );
    return rows.map(toEntry);
  }

  async lock(tx: Tx, id: string): Promise<OutboxEntry | null> {
    const [row] = await sqlOf(tx).query<OutboxRow>(
      `select ${columns} from outbox_message where tenant_id = $1 and id = $2 for update`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : toEntry(row);
  }

  async retry(tx: Tx, id: string): Promise<void> {
    await sqlOf(tx).execute(
      `update outbox_message set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp()
        where tenant_id = $1 and id = $2 and state = 'failed'`,
      [tx.tenantId, id],
    );
    await this.jobs.enqueue(tx, 'outbox.deliver', id);
  }
}

const toEntry = (row: OutboxRow): OutboxEntry => ({
  id: row.id,
  topic: row.topic,
  payload: row.payload,
  place: row.place,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: toMs(row.next_attempt_at),
  lastError: row.last_error,
  createdAt: toMs(row.created_at),
  deliveredAt: toMsOrNull(row.delivered_at),
});
