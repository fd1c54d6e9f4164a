import type { BoundSubject, Holders, RequestWithAbsences } from '#lib/approval';
import type { HaltFacts } from '#lib/policy-inputs';
import type { Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import type { StepAttempt } from '../domain/step-attempt.js';

/** A halt in force, with the tool that it names if it is one of a tool. */
export interface ActiveHalt extends HaltFacts {
  readonly tool: string | null;
}

/** The records before a run, and the run: locked in the order of locks, and read at one moment. */
export interface LockedRecords {
  readonly run: Run;
  /** The database's clock, read after the locks. */
  readonly now: number;
  readonly subject: BoundSubject;
  /** As `RunRepository.stepsAhead`. */
  readonly ahead: readonly RunStep[];
  /** The attempts that are in flight. */
  readonly inFlight: readonly StepAttempt[];
  /** Those of the tenant, the environment, the submitting agents and the plan's tools. */
  readonly halts: readonly ActiveHalt[];
  /** The consumed request behind the run; null if policy asked for no approval. */
  readonly approval: RequestWithAbsences | null;
  /**
   * The people who approved, and their delegators. Also the starter of the run if a freeze or break-glass asks for their roles.
   */
  readonly holders: Holders;
}

/** Locks the records that a run is bound to: bundle, autonomy document, tools, task, plan, executors, approval request, run. */
export interface BoundRecords {
  /**
   * Null if the run or its plan is gone.
   *
   * @throws {FailureError} `record.not_authentic` if Countersign did not write the autonomy document, the request or a review.
   */
  lock(tx: Tx, run: Run): Promise<LockedRecords | null>;
  /** The same for a caller that sends the run's calls: see `RunRepository.lockToAdvance`. */
  lockToAdvance(tx: Tx, run: Run): Promise<LockedRecords | null>;
}
