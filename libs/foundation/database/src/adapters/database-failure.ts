import { ownMember } from '#lib/canonical';
import { errorCode, type Failure } from '#lib/kernel';

import { contended, databaseAway, databaseFull, tooSlow } from '../application/server-facts.js';
import { driverError } from './driver-errors.js';

/** System codes of a connection that was refused, or lost. */
export const LOST_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** SQLSTATEs of a server that ends, starts, or no longer writes. Class 08, connection exceptions, is added to them. */
const ENDING = new Set([
  '25006', // read_only_sql_transaction
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);

/** SQLSTATEs with an answer of their own. The transaction of the statement was rolled back; others of the request may have committed. */
const OWN_ANSWERS: Readonly<Record<string, Failure>> = {
  '40001': contended, // serialization_failure, after retries
  '40P01': contended, // deadlock_detected, after retries
  '53100': databaseFull,
  '55P03': contended, // lock_not_available
  '57014': tooSlow, // query_canceled
};

/** The answer to a request that failed with the database, whose Idempotency-Key keeps a repetition safe. Null for any other error. */
export function databaseFailure(error: unknown): Failure | null {
  const code = errorCode(error) ?? '';
  const own = ownMember(OWN_ANSWERS, code);
  if (own !== undefined) return own;
  const away =
    LOST_CONNECTION.has(code) ||
    ENDING.has(code) ||
    /^08...$/.test(code) ||
    ['connection_ended', 'no_answer_in_time'].includes(driverError(error) ?? '');
  return away ? databaseAway : null;
}
