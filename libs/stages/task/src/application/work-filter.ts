import type { AgentId, PersonId } from '#lib/kernel';

/** The filter of every list of work; a member left out does not filter. */
export interface WorkFilter {
  readonly search?: string;
  /** By name; one that is not there has no work. */
  readonly environment?: string;
  readonly agentId?: AgentId;
  readonly tool?: string;
  readonly target?: string;
  /** The requester, or a reviewer. */
  readonly personId?: PersonId;
  /** Epoch milliseconds, inclusive. */
  readonly from?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}
