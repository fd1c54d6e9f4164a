import type { Tx } from './unit-of-work.js';

/** The kinds of background work; each has one handler in the worker. Payloads carry ids only. */
export interface JobPayloads {
  'simulation.execute': { readonly simulationId: string };
  'run.advance': { readonly runId: string };
  'outbox.deliver': { readonly outboxId: string };
  'slack.interaction': { readonly interactionId: string };
}

export type JobName = keyof JobPayloads;

/**
 * Enqueues work in the transaction that makes it necessary. A hint, delivered at least once and perhaps never: every
 * job has a sweeper over the rows behind it.
 */
export interface JobQueue {
  enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayloads[Name],
    options?: { readonly startAfterMs?: number },
  ): Promise<void>;
}
