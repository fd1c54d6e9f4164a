import type { AutonomyInForce } from '#lib/autonomy';
import type { PersonId, PlanId, SimulationId, Tx } from '#lib/kernel';
import type { Expansion, Plan } from '#lib/plan';
import type { EnvironmentRecord, Task } from '#lib/task';
import type { ToolVersion } from '#lib/tool';

/** The records by which a simulation of a plan is decided. */
export interface StartFacts {
  /** The database's clock after all locks, epoch milliseconds. */
  readonly now: number;
  readonly task: Task;
  /** The accountable person of the agent that submitted the task; null if a person did. */
  readonly ownerId: PersonId | null;
  readonly plan: Pick<Plan, 'id' | 'state' | 'submitter'> & { readonly expansion: Expansion | null };
  readonly environment: EnvironmentRecord;
  readonly autonomy: AutonomyInForce | null;
  /** The tool versions that the plan holds. */
  readonly tools: readonly ToolVersion[];
  /** The simulation of the plan that is pending or running. */
  readonly active: SimulationId | null;
}

/** Reads them in one statement. */
export interface StartFactsReader {
  /**
   * Locks autonomy document, task and plan, in this order, until the transaction ends. Null if there is no such plan.
   * @throws {FailureError} `record.not_authentic`.
   */
  hold(tx: Tx, planId: PlanId): Promise<StartFacts | null>;
}
