import type { Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';

/** Knows whether somebody who made a call may still act. */
export interface SubmitterStanding {
  /**
   * Whether one is disabled by now (T17): the agent or person, its accountable owner, or the person it acts for.
   */
  isDisabled(tx: Tx, submitter: Pick<Submitter, 'kind' | 'id' | 'onBehalfOf'>): Promise<boolean>;
}
