import type { AutonomyDocument } from '#lib/formats';
import type { EnvironmentFacts, HaltFacts } from '#lib/policy-inputs';
import type { AgentId, Tx } from '#lib/kernel';
import type { ExecutorRecord, ToolVersion } from '#lib/tool';

/** Which call the facts are about. */
export interface AskedCall {
  readonly tool: string;
  readonly environment: string;
  /** The agent that asks; null for a person. */
  readonly agentId: AgentId | null;
}

/** Everything that a decision about one call is taken from, as it stood at `now`. */
export interface CallFacts {
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  /** Null if the tenant has no such tool, or has removed it. */
  readonly tool: ToolVersion | null;
  /** Of the tool in the environment; null if it has none there. */
  readonly executor: Pick<ExecutorRecord, 'name' | 'version' | 'kind' | 'digest'> | null;
  readonly environment: EnvironmentFacts | null;
  readonly autonomy: AutonomyDocument | null;
  /** The halts in force that cover the tenant, the environment, the agent or the tool. */
  readonly halts: readonly HaltFacts[];
}

/**
 * Reads the facts of one call at one moment. They come from one statement, hence from one snapshot, so no lock is
 * needed to keep them together. A change that commits later comes after this decision.
 */
export interface CallFactsReader {
  /** @throws {FailureError} `record.not_authentic` if Countersign did not write the autonomy document in force. */
  read(tx: Tx, call: AskedCall): Promise<CallFacts>;
}
