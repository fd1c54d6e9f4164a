import type { TenantId } from './ids.js';

/** One open transaction, set to one tenant. Passed to every repository; adapters reach the database through it. */
export interface Tx {
  readonly tenantId: TenantId;
  /** The database's clock in epoch milliseconds. Ask after the locks are held: waiting for a lock takes time. */
  now(): Promise<number>;
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
