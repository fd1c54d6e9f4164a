import type { Json } from '#lib/canonical';
import type { AttemptState, RunState } from '#lib/formats';
import type { HaltTarget } from '#lib/halt';
import type { PageRequest, PlanId, RunId, TaskId, Tx } from '#lib/kernel';
import type { WorkFilter } from '#lib/task';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import type { HealthResult, LiveRun, QueuedRun, Run, RunEvent, WaitingOn } from '../domain/run.js';
import type { PendingStep, RunStep } from '../domain/run-step.js';
import type { AttemptResult, FinishedAttempt, InFlightAttempt, StepAttempt } from '../domain/step-attempt.js';

/** Which runs a list holds; a member left out does not filter. */
export interface RunFilter extends WorkFilter {
  readonly state?: RunState;
  readonly taskId?: TaskId;
  readonly planId?: PlanId;
}

/** A call in flight of a run that a halt covers. */
export interface StepUnderHalt {
  readonly runId: RunId;
  /** The step's id in the plan. */
  readonly stepId: string;
  /** `name@version`. */
  readonly tool: string;
  readonly attempt: number;
  readonly targets: readonly string[];
  readonly state: AttemptState;
  readonly dispatchedAt: number;
}

/** Runs of the transaction's tenant, with their steps, attempts, events and locks. */
export interface RunRepository {
  insert(tx: Tx, run: QueuedRun, steps: readonly PendingStep[]): Promise<void>;
  find(tx: Tx, id: RunId): Promise<Run | null>;
  /** The same, and no other transaction changes the run or its steps until this one ends. After task, plan and request. */
  lock(tx: Tx, id: RunId): Promise<Run | null>;
  /**
   * As `lock`, for a caller that sends its calls. A run that Countersign did not create is refused (`record.not_authentic`); halts and
   * people still pause and cancel it.
   */
  lockToAdvance(tx: Tx, id: RunId): Promise<Run | null>;
  /** The run of this task that has not ended. */
  findLive(tx: Tx, taskId: TaskId): Promise<LiveRun | null>;
  list(tx: Tx, filter: RunFilter, page: PageRequest): Promise<readonly Run[]>;
  /** In order of creation. */
  ofPlan(tx: Tx, planId: PlanId): Promise<readonly Run[]>;
  /** Only along the lifecycle: the database refuses anything else. */
  save(tx: Tx, run: Run): Promise<void>;

  /** In order; health checks of every round. */
  steps(tx: Tx, runId: RunId): Promise<readonly RunStep[]>;
  /**
   * The steps that a run looks at while it goes forward, however long its plan is. Of its first batch that was not
   * found healthy, these are the next two calls. Before the last call they are the health checks, too, and once its
   * calls succeeded all steps. Also the steps that are in flight or unknown. In order; empty once every batch was found
   * healthy.
   */
  stepsAhead(tx: Tx, runId: RunId): Promise<readonly RunStep[]>;
  findStep(tx: Tx, id: RunStepId): Promise<RunStep | null>;
  /**
   * The end of the lease of a step in flight under this fence, with its run locked as by `lock`. Null if another
   * dispatch, an answer or no dispatch holds it.
   */
  lockInFlight(tx: Tx, step: Pick<RunStep, 'id' | 'runId' | 'fence'>): Promise<number | null>;
  insertSteps(tx: Tx, steps: readonly PendingStep[]): Promise<void>;
  saveStep(tx: Tx, step: RunStep): Promise<void>;

  insertAttempt(tx: Tx, attempt: InFlightAttempt): Promise<void>;
  /** In order of dispatch. */
  attempts(tx: Tx, runId: RunId): Promise<readonly StepAttempt[]>;
  findAttempt(tx: Tx, id: AttemptId): Promise<StepAttempt | null>;
  latestAttempt(tx: Tx, stepId: RunStepId, purpose: StepAttempt['purpose']): Promise<StepAttempt | null>;
  /** Steps with an attempt that failed and may have changed something. */
  failedHalfway(tx: Tx, runId: RunId): Promise<ReadonlySet<string>>;
  /** Only an attempt that is still in flight: the unit of work fails with any other. @returns the attempt with its result. */
  finishAttempt(tx: Tx, attempt: InFlightAttempt, result: AttemptResult): Promise<FinishedAttempt>;
  /** Keeps, as evidence, an answer to an attempt that was given up. */
  keepLate(tx: Tx, id: AttemptId, late: Json, at: number): Promise<void>;
  /** The results of the health checks of a batch in a round, by the check's name. */
  healthCheckResults(
    tx: Tx,
    runId: RunId,
    batch: { readonly phaseIndex: number; readonly batchIndex: number; readonly healthRound: number },
  ): Promise<ReadonlyMap<string, Json>>;
  insertHealthResult(tx: Tx, runId: RunId, id: string, result: HealthResult): Promise<void>;
  healthResults(tx: Tx, runId: RunId): Promise<readonly HealthResult[]>;

  appendEvent(tx: Tx, runId: RunId, event: RunEvent): Promise<void>;
  /** In order, after `afterSeq`. */
  events(tx: Tx, runId: RunId, afterSeq: number, limit: number): Promise<readonly RunEvent[]>;

  /** Takes all targets or none. @returns the first taken target and its run. Runs of an environment come here one at a time. */
  acquireTargets(tx: Tx, run: Run, wanted: WantedTargets): Promise<WaitingOn | null>;
  /** Lets go of everything, and names the runs that wait in this environment. */
  releaseTargets(tx: Tx, run: Run): Promise<readonly RunId[]>;

  /** The dispatched calls without an answer, of the runs that `target` covers. */
  inFlight(tx: Tx, target: HaltTarget): Promise<readonly StepUnderHalt[]>;
  /** Runs that have not ended, of those that `target` covers. */
  liveRuns(tx: Tx, target: HaltTarget): Promise<readonly RunId[]>;
}

/** The targets that a run holds before it starts. */
export interface WantedTargets {
  readonly targets: readonly string[];
  /** The name of the environment as a whole; held, it conflicts with every other target. */
  readonly whole: string;
  readonly at: number;
}
