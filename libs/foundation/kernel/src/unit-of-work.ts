import type { TenantId } from './ids.js';

/** One open transaction, set to one tenant. Passed to every repository; adapters reach the database through it. */
export interface Tx {
  readonly tenantId: TenantId;
  /** The database's clock in epoch milliseconds. Ask after the locks are held: waiting for a lock takes time. */
  now(): Promise<number>;
  /** Present if the transaction only rehearses: it never commits. */
  readonly rehearsal?: Rehearsal | undefined;
}

/** Notes of a rehearsal. */
export interface Rehearsal {
  /** In words, each loosening that a second person would have to confirm; the two-person rule adds them. */
  readonly loosens: string[];
}

/**
 * Runs work inside one transaction of one tenant (row-level security is set for it).
 *
 * The transaction commits if `work` returns, also an `err(...)`, so that a refusal can leave its record. It rolls back if
 * `work` throws. Serialization failures and deadlocks (SQLSTATE 40001, 40P01) are retried, so `work` does nothing outside the
 * database.
 */
export interface UnitOfWork {
  run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, mode?: TransactionMode): Promise<T>;
}

/**
 * - `losable`: the commit does not wait for the disk. So the last moments before a crash of the database may be lost,
 *   in order and never in part. Only for a record that refuses by its absence.
 * - `snapshot`: all statements see the rows of one moment, and none can write or lock rows. A unit of work that joins another
 *   transaction sees the same rows as that one.
 *
 * Absent: every commit lasts, and each statement sees all earlier commits.
 */
export type TransactionMode = 'losable' | 'snapshot';

/** A transaction that units of work join. */
export interface Enclosed {
  readonly tx: Tx;
  /** Whether a unit of work inside threw: nothing of the transaction can be kept. */
  readonly broken: boolean;
}

/** Lets everything that one request does be one transaction: its use case, its answer, and the record of it. */
export interface EnclosingTransactions {
  /**
   * Runs `work` in one transaction of one tenant, which every unit of work inside joins. Commits if `work` returns. Rolls
   * back if `work` throws, or if a unit of work inside threw. Retries as {@link UnitOfWork} does.
   */
  enclose<T>(tenantId: TenantId, work: (enclosed: Enclosed) => Promise<T>, mode?: TransactionMode): Promise<T>;
}
