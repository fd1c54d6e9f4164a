import type { Tx } from './unit-of-work.js';

/** The kinds of background work. Each is about one row that says when it is due, and has one handler in the worker. */
export const JOB_NAMES = [
  'run.advance',
  'simulation.execute',
  'outbox.deliver',
  'slack.interaction',
  'approval.expire',
  'approval.start',
  'approval.remind',
  'change.expire',
  'incident.escalate',
  'incident.page',
  'incident.test_destination',
  'session.end_idle',
  'tool_call.execute',
  'automation.trigger',
  'automation.advance',
  'runner.hand_over',
  'log.follow',
  'webhook.deliver',
  'mcp.look',
  'lifecycle_hook.execute',
  'impact.advance',
  'precedent.embed',
] as const;

export type JobName = (typeof JOB_NAMES)[number];

/**
 * Wakes the workers if the transaction commits, and not before. A hint: the row says that work is due. A worker that
 * missed the hint finds the row within about a second.
 */
export interface JobQueue {
  /** @param id of the row that is due now, in the transaction's tenant. */
  enqueue(tx: Tx, name: JobName, id: string): Promise<void>;
}
