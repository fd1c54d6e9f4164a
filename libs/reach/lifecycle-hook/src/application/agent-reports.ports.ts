import type { AgentId, Tx } from '#lib/kernel';

/** Counts the reports of agents. */
export interface AgentReports {
  /** Counts one more report in this minute. @returns false if there were that many already. */
  count(tx: Tx, agentId: AgentId, most: number): Promise<boolean>;
}
