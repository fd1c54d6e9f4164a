import type { WorkFilterQuery } from '#lib/api-schemas';
import { type AgentId, type PersonId } from '#lib/kernel';
import type { WorkFilter } from '#lib/task';

/** The filter that a query asks for. */
export const workFilterOf = (query: WorkFilterQuery): WorkFilter => ({
  ...(query.search === undefined ? {} : { search: query.search }),
  ...(query.environment === undefined ? {} : { environment: query.environment }),
  // The schema of the query has checked the form of the id.
  ...(query.agent_id === undefined ? {} : { agentId: query.agent_id as AgentId }),
  ...(query.tool === undefined ? {} : { tool: query.tool }),
  ...(query.target === undefined ? {} : { target: query.target }),
  // The schema of the query has checked the form of the id.
  ...(query.person_id === undefined ? {} : { personId: query.person_id as PersonId }),
  ...(query.from === undefined ? {} : { from: Date.parse(query.from) }),
  ...(query.until === undefined ? {} : { until: Date.parse(query.until) }),
});
