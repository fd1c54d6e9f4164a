import { v7 } from 'uuid';
import { DATABASE_CLOCK, lastly, parsedValue, rowsOf, sqlOf } from '#lib/database';
import {
  outboxMessageSchema,
  type FirstDelivery,
  type JobQueue,
  type Outbox,
  type OutboxMessage,
  type PageRequest,
  type Tx,
} from '#lib/kernel';
import type {
  AttemptedEntry,
  OutboxAttempt,
  OutboxEntry,
  OutboxRepository,
  OutboxState,
  StoredMessage,
  UnreadMessage,
} from '../application/delivery.ports.js';
import { destinationText, type Destination } from '../domain/destination.js';
import { subjectOfMessage } from '../domain/subject-of-message.js';
import { outboxMessageEntity } from './delivery.entity.js';

const COLUMN = outboxMessageEntity.column;
const MESSAGE = outboxMessageEntity.as('message');
const OUTBOX_MESSAGE = outboxMessageEntity.as('outbox_message');
const EARLIER = outboxMessageEntity.as('earlier');
const OWN = outboxMessageEntity.as('own');
const LATER = outboxMessageEntity.as('later');

const entry = outboxMessageEntity.all;
const unread = outboxMessageEntity.without('topic', 'payload');
const told = outboxMessageEntity.pick('topic', 'payload');

const ERROR_CHARACTERS = 2_000;

const FAN_OUT = `
  insert into outbox_message
     (tenant_id, ${COLUMN.id}, ${COLUMN.topic}, ${COLUMN.payload}, ${COLUMN.state}, ${COLUMN.attempts}, ${COLUMN.nextAttemptAt},
       ${COLUMN.createdAt}, cause_id, ${COLUMN.destination})
   select $1, wanted.id, $2, $3, 'pending', case position when $7 then 1 else 0 end,
          clock_timestamp() + case position when $7 then $8 else 0 end * interval '1 millisecond',
          clock_timestamp(), $4, wanted.destination
     from unnest($5::uuid[], $6::text[]) with ordinality wanted (id, destination, position)`;

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
    sqlOf(tx).executeAhead(FAN_OUT, [
      tx.tenantId,
      cause.topic,
      JSON.stringify(cause.payload),
      cause.id,
      messages.map(({ id }) => id),
      messages.map(({ destination }) => destination),
      leased,
      leaseFirstMs ?? 0,
    ]);
    for (const { id } of messages.slice(leased)) await this.jobs.enqueue(tx, 'outbox.deliver', id);
    const [first] = messages;
    return leased === 0 || first === undefined ? null : { ...cause, ...first, attempts: 1 };
  }

  async claim(tx: Tx, id: string, leaseMs: number): Promise<UnreadMessage | null> {
    const row = await this.#claim(tx, id, leaseMs, unread.columns('message'), '');
    return row === null ? null : unread.row(row);
  }

  async claimToDeliver(tx: Tx, id: string, leaseMs: number): Promise<OutboxEntry | null> {
    const row = await this.#claim(
      tx,
      id,
      leaseMs,
      `${unread.columns('message')}, ${told.document('message')} as message`,
      `, ${COLUMN.state} = case when due.fans_out then 'delivered' else ${MESSAGE.state} end,
         ${COLUMN.deliveredAt} = case when due.fans_out then clock_timestamp() end,
         ${COLUMN.lastError} = case when not due.fans_out then ${MESSAGE.lastError} end`,
    );
    if (row === null) return null;
    const { message, ...rest } = unread.row(row);
    return { ...rest, ...parsedValue(outboxMessageSchema, message, { table: 'outbox_message', id }) };
  }

  /**
   * @param columns of the row that it returns.
   * @param further assignments that the claim makes, too.
   */
  async #claim(
    tx: Tx,
    id: string,
    leaseMs: number,
    columns: string,
    further: string,
  ): Promise<{ readonly message: unknown } | null> {
    const [row] = await sqlOf(tx).query<{ readonly message: unknown }>(
      `update outbox_message message
          set ${COLUMN.attempts} = ${MESSAGE.attempts} + 1,
            ${COLUMN.nextAttemptAt} = clock_timestamp() + $3 * interval '1 millisecond'${further}
         from (select ${OUTBOX_MESSAGE.id}, ${OUTBOX_MESSAGE.destination} is null as fans_out from outbox_message
                where tenant_id = $1 and ${OUTBOX_MESSAGE.id} = $2 and ${OUTBOX_MESSAGE.state} = 'pending'
                  and ${OUTBOX_MESSAGE.nextAttemptAt} <= clock_timestamp()
                  for update skip locked) due
        where message.tenant_id = $1 and ${MESSAGE.id} = due.id
        returning ${columns}`,
      [tx.tenantId, id, leaseMs],
    );
    return row ?? null;
  }

  async comesAfterPending(tx: Tx, { id, topic, payload, destination }: AttemptedEntry): Promise<boolean> {
    if (!('run_id' in payload) || destination === null) return false;
    const [row] = await sqlOf(tx).query<{ readonly pending: boolean }>(
      `select exists (
         select from outbox_message earlier
          where earlier.tenant_id = $1 and ${EARLIER.state} = 'pending' and ${EARLIER.topic} = $2
            and ${EARLIER.payload} ->> 'run_id' = $3 and ${EARLIER.lastError} is null
            and (${EARLIER.destination} is null or ${EARLIER.destination} = $4)
            and coalesce(earlier.cause_id, ${EARLIER.id})
              < (select cause_id from outbox_message own where own.tenant_id = $1 and ${OWN.id} = $5)
       ) as pending`,
      [tx.tenantId, topic, payload.run_id, destination, id],
    );
    return row?.pending ?? false;
  }

  async comesBeforeSame(tx: Tx, message: AttemptedEntry): Promise<boolean> {
    const { id, topic, destination } = message;
    const [row] = await sqlOf(tx).query<{ readonly waits: boolean }>(
      // A later message with an attempt may have read its subject before this one was written.
      `select exists (
         select from outbox_message later
          where later.tenant_id = $1 and ${LATER.state} = 'pending' and ${LATER.attempts} = 0
            and ${LATER.topic} = $2 and ${LATER.destination} = $3 and ${LATER.id} > $4
            and coalesce(${LATER.payload} ->> 'request_id', ${LATER.payload} ->> 'run_id') = $5
       ) as waits`,
      [tx.tenantId, topic, destination, id, subjectOfMessage(message)],
    );
    return row?.waits ?? false;
  }

  delivered(tx: Tx, attempt: OutboxAttempt): void {
    settle(
      tx,
      attempt,
      `${COLUMN.state} = 'delivered', ${COLUMN.deliveredAt} = clock_timestamp(), ${COLUMN.lastError} = null`,
      [],
    );
  }

  async renew(tx: Tx, { id, attempts }: OutboxAttempt, leaseMs: number): Promise<boolean> {
    const renewed = await sqlOf(tx).execute(
      `update outbox_message set ${COLUMN.nextAttemptAt} = clock_timestamp() + $4 * interval '1 millisecond'
        where tenant_id = $1 and ${OUTBOX_MESSAGE.id} = $2 and ${OUTBOX_MESSAGE.attempts} = $3 and ${OUTBOX_MESSAGE.state} = 'pending'`,
      [tx.tenantId, id, attempts, leaseMs],
    );
    return renewed === 1;
  }

  postpone(tx: Tx, attempt: OutboxAttempt, delayMs: number): void {
    const set = `${COLUMN.attempts} = ${COLUMN.attempts} - 1, ${COLUMN.nextAttemptAt} = clock_timestamp() + $4 * interval '1 millisecond'`;
    settle(tx, attempt, set, [delayMs]);
  }

  failedOnce(tx: Tx, attempt: OutboxAttempt, error: string, delayMs: number): void {
    const set = `${COLUMN.lastError} = $4, ${COLUMN.nextAttemptAt} = clock_timestamp() + $5 * interval '1 millisecond'`;
    settle(tx, attempt, set, [error.slice(0, ERROR_CHARACTERS), delayMs]);
  }

  giveUp(tx: Tx, attempt: OutboxAttempt, error: string): void {
    settle(tx, attempt, `${COLUMN.state} = 'failed', ${COLUMN.lastError} = $4`, [error.slice(0, ERROR_CHARACTERS)]);
  }

  async list(tx: Tx, state: OutboxState, page: PageRequest): Promise<readonly StoredMessage[]> {
    const createdMs = 'floor(extract(epoch from created_at) * 1000)::bigint';
    const rows = await sqlOf(tx).query<object>(
      `select ${entry.columns('message')} from outbox_message message
        where tenant_id = $1 and ${MESSAGE.state} = $2
          and ($3::bigint is null or (${MESSAGE.createdAt}, ${MESSAGE.id}) < (to_timestamp(($3::bigint + 1) / 1000.0), $4::uuid)
               and (${createdMs}, ${MESSAGE.id}) < ($3::bigint, $4::uuid))
        order by ${MESSAGE.createdAt} desc, ${MESSAGE.id} desc limit $5`,
      [tx.tenantId, state, page.after?.at ?? null, page.after?.id ?? null, page.limit],
    );
    return rows.map((row) => entry.row(row));
  }

  lock(tx: Tx, id: string): Promise<StoredMessage | null> {
    return rowsOf(tx, outboxMessageEntity).findOne({ id }, { lock: 'update' });
  }

  async retry(tx: Tx, id: string): Promise<void> {
    const again = { state: 'pending', attempts: 0, nextAttemptAt: DATABASE_CLOCK } as const;
    await rowsOf(tx, outboxMessageEntity).update({ id, state: 'failed' }, again);
    await this.jobs.enqueue(tx, 'outbox.deliver', id);
  }
}

/** Writes nothing if another attempt began meanwhile. */
function settle(tx: Tx, { id, attempts }: OutboxAttempt, set: string, values: readonly unknown[]): void {
  sqlOf(tx).executeAhead(
    `update outbox_message set ${set} where tenant_id = $1 and ${OUTBOX_MESSAGE.id} = $2 and ${OUTBOX_MESSAGE.attempts} = $3
       and ${OUTBOX_MESSAGE.state} = 'pending'`,
    [tx.tenantId, id, attempts, ...values],
  );
}
