import { v7 } from 'uuid';
import type { FirstDelivery, JobQueue, Outbox, OutboxMessage, PageRequest, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { destinationText, type Destination } from '../domain/destination.js';
import { subjectOfMessage } from '../domain/subject-of-message.js';
import type {
  AttemptedEntry,
  OutboxAttempt,
  OutboxEntry,
  OutboxRepository,
  OutboxState,
  StoredMessage,
  UnreadMessage,
} from './delivery.ports.js';

type Row = OutboxEntry & { readonly causeId: string | null };

/** Keeps the outbox in memory. */
export class FakeOutboxRepository implements Outbox, OutboxRepository {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly jobs: JobQueue,
  ) {
    this.#rows = new FakeTable(database);
  }

  async write(tx: Tx, message: OutboxMessage, first?: FirstDelivery): Promise<void> {
    const row = this.#new(message);
    this.#rows.of(tx).set(row.id, row);
    const begun =
      first !== undefined &&
      (await first(tx, row.id).then(
        () => true,
        () => false,
      ));
    if (!begun) await this.jobs.enqueue(tx, 'outbox.deliver', row.id);
  }

  async fanOut(
    tx: Tx,
    cause: AttemptedEntry,
    destinations: readonly Destination[],
    leaseFirstMs: number | null,
  ): Promise<AttemptedEntry | null> {
    const known = new Set(
      [...this.#rows.of(tx).values()]
        .filter(({ causeId }) => causeId === cause.id)
        .map(({ destination }) => destination),
    );
    let first: AttemptedEntry | null = null;
    for (const [position, to] of destinations.entries()) {
      const destination = destinationText(to);
      if (known.has(destination)) throw new FakeRefusal('23505', 'outbox_message_destination_key');
      const row = { ...this.#new(cause), causeId: cause.id, destination };
      if (position === 0 && leaseFirstMs !== null) {
        first = { ...row, attempts: 1 };
        this.#rows.of(tx).set(row.id, { ...row, attempts: 1, nextAttemptAt: this.database.now + leaseFirstMs });
      } else {
        this.#rows.of(tx).set(row.id, row);
        await this.jobs.enqueue(tx, 'outbox.deliver', row.id);
      }
    }
    return first;
  }

  claim(tx: Tx, id: string, leaseMs: number): Promise<UnreadMessage | null> {
    return Promise.resolve(this.#claim(tx, id, leaseMs));
  }

  #claim(tx: Tx, id: string, leaseMs: number): OutboxEntry | null {
    const row = this.#rows.of(tx).get(id);
    if (row?.state !== 'pending' || row.nextAttemptAt > this.database.now) return null;
    const claimed = { ...row, attempts: row.attempts + 1, nextAttemptAt: this.database.now + leaseMs };
    this.#rows.of(tx).set(id, claimed);
    return claimed;
  }

  claimToDeliver(tx: Tx, id: string, leaseMs: number): Promise<OutboxEntry | null> {
    const entry = this.#claim(tx, id, leaseMs);
    if (entry?.destination !== null) return Promise.resolve(entry);
    this.delivered(tx, entry);
    return Promise.resolve({ ...entry, state: 'delivered', deliveredAt: this.database.now, lastError: null });
  }

  comesAfterPending(tx: Tx, { id, topic, payload, destination }: AttemptedEntry): Promise<boolean> {
    const rows = this.#rows.of(tx);
    const causeId = rows.get(id)?.causeId ?? null;
    const pending = [...rows.values()].some(
      (earlier) =>
        causeId !== null &&
        'run_id' in payload &&
        earlier.state === 'pending' &&
        earlier.topic === topic &&
        'run_id' in earlier.payload &&
        earlier.payload.run_id === payload.run_id &&
        earlier.lastError === null &&
        (earlier.destination === null || earlier.destination === destination) &&
        (earlier.causeId ?? earlier.id) < causeId,
    );
    return Promise.resolve(pending && destination !== null);
  }

  comesBeforeSame(tx: Tx, message: AttemptedEntry): Promise<boolean> {
    const { id, topic, destination } = message;
    const subject = subjectOfMessage(message);
    const waits = [...this.#rows.of(tx).values()].some(
      (later) =>
        subject !== null &&
        later.state === 'pending' &&
        later.attempts === 0 &&
        later.topic === topic &&
        later.destination === destination &&
        later.id > id &&
        subjectOfMessage(later) === subject,
    );
    return Promise.resolve(waits);
  }

  delivered(tx: Tx, attempt: OutboxAttempt): void {
    this.#settle(tx, attempt, { state: 'delivered', deliveredAt: this.database.now, lastError: null });
  }

  renew(tx: Tx, { id, attempts }: OutboxAttempt, leaseMs: number): Promise<boolean> {
    const row = this.#rows.of(tx).get(id);
    if (row?.state !== 'pending' || row.attempts !== attempts) return Promise.resolve(false);
    this.#rows.of(tx).set(id, { ...row, nextAttemptAt: this.database.now + leaseMs });
    return Promise.resolve(true);
  }

  postpone(tx: Tx, attempt: OutboxAttempt, delayMs: number): void {
    this.#settle(tx, attempt, { attempts: attempt.attempts - 1, nextAttemptAt: this.database.now + delayMs });
  }

  failedOnce(tx: Tx, attempt: OutboxAttempt, lastError: string, delayMs: number): void {
    this.#settle(tx, attempt, { lastError, nextAttemptAt: this.database.now + delayMs });
  }

  giveUp(tx: Tx, attempt: OutboxAttempt, lastError: string): void {
    this.#settle(tx, attempt, { state: 'failed', lastError });
  }

  list(tx: Tx, state: OutboxState, page: PageRequest): Promise<readonly StoredMessage[]> {
    const rows = [...this.#rows.of(tx).values()].filter((row) => row.state === state);
    return Promise.resolve(fakePage(rows, ({ createdAt }) => createdAt, page));
  }

  lock(tx: Tx, id: string): Promise<StoredMessage | null> {
    return Promise.resolve(this.#rows.of(tx).get(id) ?? null);
  }

  async retry(tx: Tx, id: string): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row?.state === 'failed') {
      this.#rows.of(tx).set(id, { ...row, state: 'pending', attempts: 0, nextAttemptAt: this.database.now });
    }
    await this.jobs.enqueue(tx, 'outbox.deliver', id);
  }

  #settle(tx: Tx, { id, attempts }: OutboxAttempt, change: Partial<UnreadMessage>): void {
    const row = this.#rows.of(tx).get(id);
    if (row?.state === 'pending' && row.attempts === attempts) this.#rows.of(tx).set(id, { ...row, ...change });
  }

  #new(message: OutboxMessage): Row {
    return {
      ...message,
      id: v7(),
      causeId: null,
      destination: null,
      state: 'pending',
      attempts: 0,
      nextAttemptAt: this.database.now,
      lastError: null,
      createdAt: this.database.now,
      deliveredAt: null,
    };
  }
}
