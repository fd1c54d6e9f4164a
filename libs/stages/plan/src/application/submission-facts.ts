import type { AutonomyInForce } from '#lib/autonomy';
import type { PersonId, TaskId, Tx } from '#lib/kernel';
import type { EnvironmentRecord, Task } from '#lib/task';
import type { ExecutorRecord, ToolVersion } from '#lib/tool';
import type { LiveRevision } from '../domain/plan.js';

/** The records by which a submitted revision is validated. */
export interface SubmissionFacts {
  /** The database's clock once all locks were held, epoch milliseconds. */
  readonly now: number;
  readonly task: Task;
  /** The accountable person of the agent that submitted the task; null if a person did. */
  readonly ownerId: PersonId | null;
  readonly environment: EnvironmentRecord;
  readonly autonomy: AutonomyInForce | null;
  /** The versions that count of the tools asked for, by name. */
  readonly tools: ReadonlyMap<string, ToolVersion>;
  /** The executors of these tools in the task's environment, by executor name. */
  readonly executors: ReadonlyMap<string, ExecutorRecord>;
  /** The number that the task's next revision gets. */
  readonly revision: number;
  /** The task's live revision. */
  readonly live: LiveRevision | null;
}

/** Locks and reads the records by which a revision is validated. */
export interface SubmissionFactsReader {
  /**
   * Locks the autonomy document, the tools, the task and its live revision, in this order, until the transaction ends.
   * Null if there is no such task. @throws {FailureError} `record.not_authentic`.
   */
  hold(tx: Tx, taskId: TaskId, tools: readonly string[]): Promise<SubmissionFacts | null>;
}
