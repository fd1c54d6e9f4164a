import { v7 } from 'uuid';
import { DATABASE_CLOCK, lastly, rowsOf, sqlOf } from '#lib/database';
import type { FirstDelivery, JobQueue, Outbox, OutboxMessage, PageRequest, Tx } from '#lib/kernel';
import type { AttemptedEntry, OutboxEntry, OutboxRepository, OutboxState } from '../application/delivery.ports.js';
import { destinationText, type Destination } from '../domain/destination.js';
import { outboxMessageEntity } from './delivery.entity.js';

const entry = outboxMessageEntity.all;

const ERROR_CHARACTERS = 2_000;

/** The outbox in PostgreSQL, table outbox_message. Each new message wakes a worker, unless it is sent without one. */
export class SqlOutbox implements Outbox, OutboxRepository {
  constructor(private readonly jobs: JobQueue) {}

  write(tx: Tx, { topic, payload }: OutboxMessage, first?: FirstDelivery): Promise<void> {
    const id = v7();
    sqlOf(tx).callAhead('outbox_append', [id, topic, JSON.stringify(payload)]);
    const wake = (): Promise<void> => this.jobs.enqueue(tx, 'outbox.deliver', id);
    if (first === undefined) return wake();
    lastly(tx, { attempt: () => first(tx, id), otherwise: wake });
    return Promise.resolve();
  }

  async fanOut(
    tx: Tx,
    cause: AttemptedEntry,
    destinations: readonly Destination[],
    leaseFirstMs: number | null,
  ): Promise<AttemptedEntry | null> {
    if (destinations.length === 0) return null;
    const messages = destinations.map((to) => ({ id: v7(), destination: destinationText(to) }));
    const leased = leaseFirstMs === null ? 0 : 1;
    sqlOf(tx).executeAhead(
      `insert into outbox_message
         (tenant_id, id, topic, payload, state, attempts, next_attempt_at, created_at, cause_id, destination)
       select $1, wanted.id, $2, $3, 'pending', case position when $7 then 1 else 0 end,
              clock_timestamp() + case position when $7 then $8 else 0 end * interval '1 millisecond',
              clock_timestamp(), $4, wanted.destination
         from unnest($5::uuid[], $6::text[]) with ordinality wanted (id, destination, position)`,
      [
        tx.tenantId,
        cause.topic,
        JSON.stringify(cause.payload),
        cause.id,
        messages.map(({ id }) => id),
        messages.map(({ destination }) => destination),
        leased,
        leaseFirstMs ?? 0,
      ],
    );
    for (const { id } of messages.slice(leased)) await this.jobs.enqueue(tx, 'outbox.deliver', id);
    const [first] = messages;
    return leased === 0 || first === undefined ? null : { ...cause, ...first, attempts: 1 };
  }

  claim(tx: Tx, id: string, leaseMs: number): Promise<OutboxEntry | null> {
    return this.#claim(tx, id, leaseMs, '');
  }

  claimToDeliver(tx: Tx, id: string, leaseMs: number): Promise<OutboxEntry | null> {
    return this.#claim(
      tx,
      id,
      leaseMs,
      `, state = case when due.fans_out then 'delivered' else message.state end,
         delivered_at = case when due.fans_out then clock_timestamp() end,
         last_error = case when not due.fans_out then message.last_error end`,
    );
  }

  /** @param further assignments that the claim makes, too. */
  async #claim(tx: Tx, id: string, leaseMs: number, further: string): Promise<OutboxEntry | null> {
    const [row] = await sqlOf(tx).query<object>(
      `update outbox_message message
          set attempts = message.attempts + 1, next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond'${further}
         from (select id, destination is null as fans_out from outbox_message
                where tenant_id = $1 and id = $2 and state = 'pending' and next_attempt_at <= clock_timestamp()
                  for update skip locked) due
        where message.tenant_id = $1 and message.id = due.id
        returning ${entry.columns('message')}`,
      [tx.tenantId, id, leaseMs],
    );
    return row === undefined ? null : entry.row(row);
  }

  async comesAfterPending(tx: Tx, { id, topic, payload, destination }: AttemptedEntry): Promise<boolean> {
    const { run_id: runId } = payload;
    if (runId === undefined || destination === null) return false;
    const [row] = await sqlOf(tx).query<{ readonly pending: boolean }>(
      `select exists (
         select from outbox_message earlier
          where earlier.tenant_id = $1 and earlier.state = 'pending' and earlier.topic = $2
            and earlier.payload ->> 'run_id' = $3 and earlier.last_error is null
            and (earlier.destination is null or earlier.destination = $4)
            and coalesce(earlier.cause_id, earlier.id)
              < (select cause_id from outbox_message own where own.tenant_id = $1 and own.id = $5)
       ) as pending`,
      [tx.tenantId, topic, runId, destination, id],
    );
    return row?.pending ?? false;
  }

  async comesBeforeSame(tx: Tx, { id, topic, payload, destination }: AttemptedEntry): Promise<boolean> {
    const [row] = await sqlOf(tx).query<{ readonly waits: boolean }>(
      // A later message with an attempt may have read its subject before this one was written.
      `select exists (
         select from outbox_message later
          where later.tenant_id = $1 and later.state = 'pending' and later.attempts = 0
            and later.topic = $2 and later.destination = $3 and later.id > $4
            and coalesce(later.payload ->> 'request_id', later.payload ->> 'run_id') = $5
       ) as waits`,
      [tx.tenantId, topic, destination, id, payload.request_id ?? payload.run_id ?? null],
    );
    return row?.waits ?? false;
  }

  delivered(tx: Tx, message: AttemptedEntry): void {
    settle(tx, message, `state = 'delivered', delivered_at = clock_timestamp(), last_error = null`, []);
  }

  async renew(tx: Tx, { id, attempts }: AttemptedEntry, leaseMs: number): Promise<boolean> {
    const renewed = await sqlOf(tx).execute(
      `update outbox_message set next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'
        where tenant_id = $1 and id = $2 and attempts = $3 and state = 'pending'`,
      [tx.tenantId, id, attempts, leaseMs],
    );
    return renewed === 1;
  }

  postpone(tx: Tx, message: AttemptedEntry, delayMs: number): void {
    const set = `attempts = attempts - 1, next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'`;
    settle(tx, message, set, [delayMs]);
  }

  failedOnce(tx: Tx, message: AttemptedEntry, error: string, delayMs: number): void {
    const set = `last_error = $4, next_attempt_at = clock_timestamp() + $5 * interval '1 millisecond'`;
    settle(tx, message, set, [error.slice(0, ERROR_CHARACTERS), delayMs]);
  }

  giveUp(tx: Tx, message: AttemptedEntry, error: string): void {
    settle(tx, message, `state = 'failed', last_error = $4`, [error.slice(0, ERROR_CHARACTERS)]);
  }

  async list(tx: Tx, state: OutboxState, page: PageRequest): Promise<readonly OutboxEntry[]> {
    const createdMs = 'floor(extract(epoch from created_at) * 1000)::bigint';
    const rows = await sqlOf(tx).query<object>(
      `select ${entry.columns('message')} from outbox_message message
        where tenant_id = $1 and state = $2
          and ($3::bigint is null or (created_at, id) < (to_timestamp(($3::bigint + 1) / 1000.0), $4::uuid)
               and (${createdMs}, id) < ($3::bigint, $4::uuid))
        order by created_at desc, id desc limit $5`,
      [tx.tenantId, state, page.after?.at ?? null, page.after?.id ?? null, page.limit],
    );
    return rows.map((row) => entry.row(row));
  }

  lock(tx: Tx, id: string): Promise<OutboxEntry | null> {
    return rowsOf(tx, outboxMessageEntity).findOne({ id }, { lock: 'update' });
  }

  async retry(tx: Tx, id: string): Promise<void> {
    const again = { state: 'pending', attempts: 0, nextAttemptAt: DATABASE_CLOCK } as const;
    await rowsOf(tx, outboxMessageEntity).update({ id, state: 'failed' }, again);
    await this.jobs.enqueue(tx, 'outbox.deliver', id);
  }
}

/** Writes nothing if another attempt began meanwhile. */
function settle(tx: Tx, { id, attempts }: AttemptedEntry, set: string, values: readonly unknown[]): void {
  sqlOf(tx).executeAhead(
    `update outbox_message set ${set} where tenant_id = $1 and id = $2 and attempts = $3 and state = 'pending'`,
    [tx.tenantId, id, attempts, ...values],
  );
}
