import type { Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';

/** Knows whether somebody who made a call may still act. */
export interface SubmitterStanding {
  /** Whether the agent or person is disabled by now, the agent's accountable owner, or the person whom the agent acts for (T17). */
  isDisabled(tx: Tx, submitter: Pick<Submitter, 'kind' | 'id' | 'onBehalfOf'>): Promise<boolean>;
}
