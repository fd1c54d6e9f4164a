import type { AuditEvent, AuditSink } from './audit-sink.js';
import { FakeTable, type FakeUnitOfWork } from './fake-unit-of-work.js';
import type { JobName, JobQueue } from './job-queue.js';
import type { Outbox, OutboxMessage } from './outbox.js';
import type { Tx } from './unit-of-work.js';

/** The entries of a store that only grows, in order. */
class Written<Entry> {
  readonly #entries: FakeTable<Entry>;

  constructor(database: FakeUnitOfWork) {
    this.#entries = new FakeTable<Entry>(database);
  }

  protected append(tx: Tx, entry: Entry): Promise<void> {
    const entries = this.#entries.of(tx);
    entries.set(String(entries.size), entry);
    return Promise.resolve();
  }

  /** All that was committed for this tenant. */
  of(tx: Pick<Tx, 'tenantId'>): readonly Entry[] {
    return [...this.#entries.of(tx).values()];
  }
}

/** Keeps audit events in memory. */
export class FakeAuditSink extends Written<AuditEvent> implements AuditSink {
  record(tx: Tx, event: AuditEvent): Promise<void> {
    return this.append(tx, event);
  }
}

/** Keeps messages in memory; nobody sends them. */
export class FakeOutbox extends Written<OutboxMessage> implements Outbox {
  write(tx: Tx, message: OutboxMessage): Promise<void> {
    return this.append(tx, message);
  }
}

/** A job as it was enqueued. */
export interface EnqueuedJob {
  readonly name: JobName;
  readonly id: string;
}

/** Keeps jobs in memory; no worker runs them. */
export class FakeJobQueue extends Written<EnqueuedJob> implements JobQueue {
  enqueue(tx: Tx, name: JobName, id: string): Promise<void> {
    return this.append(tx, { name, id });
  }
}
