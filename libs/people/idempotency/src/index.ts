/**
 * The answers kept for repeated requests: an idempotency key, which belongs to one credential, gets the first answer again.
 *
 * Invariants: of several requests with a key at once exactly one is carried out; a key stands for one operation and one request digest; a
 * claim without an answer is never carried out again. An answer goes a day after its request.
 *
 * Never decides which answer is kept: that is the API's.
 */
export { expiredAnswers } from './adapters/sql-idempotency-records.js';
export type {
  AnswerToKeep,
  ClaimOutcome,
  IdempotencyClaim,
  IdempotencyRecords,
} from './application/idempotency.ports.js';
export { createIdempotency } from './create-idempotency.js';
