import type { WorkFilterQuery } from '#lib/api-schemas';
import { type AgentId, type PersonId, fromTimestamp } from '#lib/kernel';

/** The filter of every list of work; a member left out does not filter. */
export interface WorkFilter {
  readonly search?: string;
  /** By name; one that is not there has no work. */
  readonly environment?: string;
  readonly agentId?: AgentId;
  readonly tool?: string;
  readonly target?: string;
  /** Who asked for it, or reviewed it. */
  readonly personId?: PersonId;
  /** Epoch milliseconds, inclusive. */
  readonly from?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}

/** The filter that a query asks for. */
export const workFilterOf = (query: WorkFilterQuery): WorkFilter => ({
  ...(query.search === undefined ? {} : { search: query.search }),
  ...(query.environment === undefined ? {} : { environment: query.environment }),
  ...(query.agent_id === undefined ? {} : { agentId: query.agent_id as AgentId }),
  ...(query.tool === undefined ? {} : { tool: query.tool }),
  ...(query.target === undefined ? {} : { target: query.target }),
  ...(query.person_id === undefined ? {} : { personId: query.person_id as PersonId }),
  ...(query.from === undefined ? {} : { from: fromTimestamp(query.from) }),
  ...(query.until === undefined ? {} : { until: fromTimestamp(query.until) }),
});
