import type { Json, JsonObject } from '#lib/canonical';
import type { AttemptState, RunState } from '#lib/formats';
import type { ApprovedTerms } from '#lib/policy-inputs';
import type {
  Actor,
  AgentId,
  ApprovalRequestId,
  AttemptId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  PlanId,
  ReasonView,
  RunId,
  RunStepId,
  SimulationId,
  TaskId,
} from '#lib/kernel';
import type { RunRequest } from './run-view.js';

/** Which phases of its plan a run executes; `promotion` has the phases after a canary. */
export type RunPhases = 'all' | 'canary' | 'promotion';

/** Why a run is where it is. */
export interface RunReason {
  readonly code: string;
  readonly message: string;
  /** Of the policy decision behind it. */
  readonly reasons?: readonly ReasonView[];
  readonly details?: JsonObject;
}

/** The target that a queued run waits for, and the run that holds it. */
export interface WaitingOn {
  readonly target: string;
  readonly runId: RunId;
}

/** A change that stands although its run ended. */
export interface NotUndone {
  readonly step_id: string;
  readonly seq: number;
  readonly tool: string;
  readonly why: 'no_compensation' | 'compensation_failed' | 'failed_halfway' | 'not_rolled_back';
}

/** The outcome of a run, in the words of the API. */
export interface RunOutcome {
  readonly duration_minutes: number;
  readonly affected_assets: number;
  readonly calls: {
    readonly succeeded: number;
    readonly failed: number;
    readonly compensated: number;
    readonly not_started: number;
  };
  readonly not_undone: readonly NotUndone[];
}

/** One execution of one plan. Times are epoch milliseconds. */
export interface Run {
  readonly id: RunId;
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly planDigest: Digest;
  readonly environmentId: EnvironmentId;
  readonly approvalRequestId: ApprovalRequestId | null;
  /** Of the break-glass that it rests on; null for every other run. */
  readonly incidentId: IncidentId | null;
  readonly simulationId: SimulationId | null;
  readonly decisionId: DecisionId;
  readonly approvedTerms: ApprovedTerms;
  readonly state: RunState;
  readonly phases: RunPhases;
  readonly requested: RunRequest | null;
  readonly requestedBy: { readonly actor: Actor; readonly reason: RunReason } | null;
  readonly reason: RunReason | null;
  readonly rollbackReason: RunReason | null;
  readonly waitingOn: WaitingOn | null;
  readonly waitUntil: number | null;
  readonly healthRound: number;
  readonly eventCount: number;
  readonly outcome: RunOutcome | null;
  readonly startedBy: Actor;
  readonly startAt: number | null;
  readonly nextAt: number | null;
  /** When it pauses by itself if it still goes forward; null while it does not. */
  readonly pauseBy: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly updatedAt: number;
}

/** One call of a run or one health check, and where its latest attempt is. */
export interface RunStep {
  readonly id: RunStepId;
  readonly runId: RunId;
  readonly position: number;
  readonly kind: 'call' | 'health_check';
  readonly phaseIndex: number;
  readonly batchIndex: number;
  readonly seq: number;
  readonly stepId: string;
  readonly healthRound: number;
  readonly toolName: string;
  readonly toolVersion: number;
  readonly idempotent: boolean;
  readonly changes: boolean;
  readonly onFailure: 'pause' | 'rollback' | 'retry';
  readonly compensationIdempotent: boolean | null;
  readonly state: AttemptState;
  readonly attempts: number;
  readonly compensations: number;
  readonly failures: number;
  readonly fence: number;
  readonly leaseUntil: number | null;
  readonly retryAt: number | null;
  readonly unknownOf: 'call' | 'compensation' | null;
  readonly resolvedAs: 'happened' | 'did_not' | null;
  readonly error: StepError | null;
  readonly finishedAt: number | null;
}

export interface StepError {
  readonly code: string;
  readonly message: string;
}

/** One dispatch of a step or of the call that undoes it. */
export interface StepAttempt {
  readonly id: AttemptId;
  readonly runId: RunId;
  readonly stepId: RunStepId;
  readonly purpose: 'call' | 'compensation';
  readonly number: number;
  readonly fence: number;
  readonly decisionId: DecisionId;
  readonly executorName: string;
  /** The version of the executor's record that was approved. */
  readonly executorVersion: number;
  /** The agent that carries it out and reports, unverified; null if an executor is called. */
  readonly agentId: AgentId | null;
  readonly argumentsDigest: string;
  readonly targets: readonly string[];
  readonly dispatchedAt: number;
  readonly leaseUntil: number;
  readonly finishedAt: number | null;
  readonly outcome: 'succeeded' | 'failed' | 'unknown' | null;
  readonly effect: 'not_started' | 'done' | null;
  readonly result: Json | null;
  readonly error: StepError | null;
  readonly lateResult: Json | null;
  readonly lateAt: number | null;
}

/** The result of the health checks after a batch. */
export interface HealthResult {
  readonly phaseIndex: number;
  readonly batchIndex: number;
  readonly healthRound: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly condition: string | null;
  readonly verdict: 'healthy' | 'roll_back' | 'unclear';
  readonly explanation: string;
  readonly evaluatedAt: number;
}

/** One event of a run, as it is listed and streamed. */
export interface RunEvent {
  readonly seq: number;
  readonly type: string;
  readonly actor: Actor;
  readonly data: JsonObject;
  readonly at: number;
}
