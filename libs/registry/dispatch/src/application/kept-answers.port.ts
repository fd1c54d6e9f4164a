import type { Tx } from '#lib/kernel';
import type { DispatchOrder, DispatchOutcome } from './tool-dispatcher.port.js';

/** A call that left, as its order named it. */
export type SentCallName = Pick<DispatchOrder, 'source' | 'step' | 'attempt' | 'idempotencyKey'>;

/** The outcome of a call; or `under_way`: its answer counts until then (epoch milliseconds). */
export type KeptAnswer = DispatchOutcome | { readonly kind: 'under_way'; readonly until: number };

/** The record of a source, such as a run. It takes an answer that its own worker may never have written. */
export interface RecordsAnswers {
  /** Writes the kept answer to the call, if it is still awaited. Locks the source before the row of the call. */
  recordKept(tx: Tx, call: SentCallName): Promise<void>;
}

/**
 * Answers that wait for a worker to write them. A worker may die between an answer and its own record. So the next one
 * looks here before it says that the effect is unknown, or sends the call again (T27).
 */
export interface KeptAnswers {
  /** Null if nothing is known of the call. Its row stays locked until the transaction ends. */
  of(tx: Tx, call: SentCallName): Promise<KeptAnswer | null>;
}
