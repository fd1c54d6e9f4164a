import { SqlIdempotencyRecords } from './adapters/sql-idempotency-records.js';

/** The answers kept for repeated requests. */
export const createIdempotency = () => ({ records: new SqlIdempotencyRecords() });

export type Idempotency = ReturnType<typeof createIdempotency>;
