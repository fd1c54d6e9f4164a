import { setTimeout as delay } from 'node:timers/promises';
import { FailureError } from '#lib/kernel';
import { databaseAway } from '../application/server-facts.js';

/** Less than probes of readiness usually wait. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * A question whether the database answers now. A server that fell silent leaves the statement without an answer. Later
 * callers share that statement, so probes use up no connections.
 *
 * @param ask sends a statement.
 * @returns rejects with the error of the statement, or with `database.unavailable` after two seconds.
 */
export function pinging(ask: () => Promise<unknown>): () => Promise<void> {
  let asked: Promise<unknown> | null = null;
  return async () => {
    asked ??= ask().finally(() => (asked = null));
    const late = new AbortController();
    const tooLate = delay(ANSWER_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
      throw new FailureError(databaseAway);
    });
    try {
      await Promise.race([asked, tooLate]);
    } finally {
      late.abort();
    }
  };
}
