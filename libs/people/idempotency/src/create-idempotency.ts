import { SqlIdempotencyRecords } from './adapters/sql-idempotency-records.js';
import type { IdempotencyRecords } from './application/idempotency.ports.js';

export interface Idempotency {
  readonly records: IdempotencyRecords;
}

/** The answers kept for repeated requests. */
export const createIdempotency = (): Idempotency => ({ records: new SqlIdempotencyRecords() });
