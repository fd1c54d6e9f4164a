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
  /** In words, each loosening that a second person would have to confirm; the guardrail adds them. */
  readonly loosens: string[];
}

/**
 * Runs work inside one transaction of one tenant (row-level security is set for it).
 *
 * What `work` returns commits, a returned `err(...)` too, so that a refusal can leave its record; what it throws rolls
 * back. Serialization failures and deadlocks (SQLSTATE 40001, 40P01) are retried, so `work` does nothing outside the
 * database.
 */
export interface UnitOfWork {
  run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Runs use cases one after another in one transaction that is rolled back: each sees what the earlier ones would have
 * written, and nothing of it lasts. Inside, the guardrail permits what would wait for a second person, and notes it.
 */
export interface Rehearsals {
  rehearse<T>(tenantId: TenantId, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T>;
}
