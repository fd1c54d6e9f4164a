import type { JsonObject } from '#lib/canonical';
import type { RunState, ApprovedTerms } from '#lib/formats';
import type {
  Actor,
  ApprovalRequestId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  PlanId,
  ReasonView,
  RunId,
  SimulationId,
  TaskId,
} from '#lib/kernel';
import type { PlanHeadline } from '#lib/plan';
import type { RunRequest } from './run-view.js';

/** Which phases of its plan a run executes; `promotion` has the phases after a canary. */
export type RunPhases = 'all' | 'canary' | 'promotion';

/** The reason for the state of a run. */
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

/** The authority under which a run executes its plan; its kind is the basis of the grants. */
export type RunAuthority =
  | { readonly kind: 'approval'; readonly requestId: ApprovalRequestId }
  | { readonly kind: 'break_glass'; readonly incidentId: IncidentId }
  /** Policy asked for no approval. */
  | { readonly kind: 'policy' };

/** The facts of a run in every state. Times are epoch milliseconds. */
export interface RunFacts {
  readonly id: RunId;
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly planDigest: Digest;
  readonly headline: PlanHeadline;
  readonly environmentId: EnvironmentId;
  readonly authority: RunAuthority;
  readonly simulationId: SimulationId | null;
  readonly decisionId: DecisionId;
  readonly approvedTerms: ApprovedTerms;
  readonly phases: RunPhases;
  readonly healthRound: number;
  readonly eventCount: number;
  readonly startedBy: Actor;
  readonly startAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An open request to the run, with its actor and reason. */
export interface OpenRequest {
  readonly requested: RunRequest;
  readonly requestedBy: { readonly actor: Actor; readonly reason: RunReason };
}

/** The run has no open request. */
export interface NoRequest {
  readonly requested: null;
  readonly requestedBy: null;
}

interface NotEnded {
  readonly outcome: null;
  readonly finishedAt: null;
}

interface Ended extends NoRequest {
  readonly waitingOn: null;
  readonly waitUntil: null;
  readonly nextAt: null;
  readonly pauseBy: null;
  readonly outcome: RunOutcome;
  readonly finishedAt: number;
}

/** Waits for its start, or for a target that another run holds. */
export type QueuedRun = RunFacts &
  (OpenRequest | NoRequest) &
  NotEnded & {
    readonly state: 'queued';
    readonly reason: null;
    readonly rollbackReason: null;
    readonly waitingOn: WaitingOn | null;
    readonly waitUntil: null;
    readonly nextAt: number;
    readonly pauseBy: null;
    readonly startedAt: null;
  };

/** Goes forward. */
export type ExecutingRun = RunFacts &
  (OpenRequest | NoRequest) &
  NotEnded & {
    readonly state: 'executing';
    readonly reason: null;
    readonly rollbackReason: null;
    readonly waitingOn: null;
    /** The end of the wait after a batch that was last announced. */
    readonly waitUntil: number | null;
    readonly nextAt: number;
    /** When it pauses by itself if it still goes forward. */
    readonly pauseBy: number;
    readonly startedAt: number;
  };

type Paused<Rollback extends RunReason | null> = RunFacts &
  (OpenRequest | NoRequest) &
  NotEnded & {
    readonly state: 'paused';
    readonly reason: RunReason;
    readonly rollbackReason: Rollback;
    readonly waitingOn: null;
    readonly waitUntil: number | null;
    /** Null unless it goes on by itself, or has a request to carry out. */
    readonly nextAt: number | null;
    readonly pauseBy: null;
    readonly startedAt: number;
  };

/** Paused on its way forward. */
export type PausedForward = Paused<null>;
/** Paused while it rolled back: it goes forward no more. */
export type PausedInRollback = Paused<RunReason>;
export type PausedRun = PausedForward | PausedInRollback;

export type RollingBackRun = RunFacts &
  (OpenRequest | NoRequest) &
  NotEnded & {
    readonly state: 'rolling_back';
    readonly reason: RunReason;
    /** The reason for its rollback, if it was paused and resumed since. */
    readonly rollbackReason: RunReason;
    readonly waitingOn: null;
    readonly waitUntil: number | null;
    readonly nextAt: number;
    readonly pauseBy: null;
    readonly startedAt: number;
  };

export type CompletedRun = RunFacts &
  Ended & {
    readonly state: 'completed';
    readonly reason: null;
    readonly rollbackReason: null;
    readonly startedAt: number;
  };

type Stopped<S extends 'failed' | 'cancelled'> = RunFacts &
  Ended & {
    readonly state: S;
    readonly reason: RunReason;
    readonly rollbackReason: RunReason | null;
    readonly startedAt: number | null;
  };

type RolledBack<S extends 'rolled_back' | 'rollback_failed'> = RunFacts &
  Ended & {
    readonly state: S;
    readonly reason: RunReason;
    readonly rollbackReason: RunReason;
    readonly startedAt: number;
  };

/** A run that sends calls. */
export type ActiveRun = ExecutingRun | RollingBackRun;
export type LiveRun = QueuedRun | ActiveRun | PausedRun;
export type EndedRun =
  | CompletedRun
  | Stopped<'failed'>
  | Stopped<'cancelled'>
  | RolledBack<'rolled_back'>
  | RolledBack<'rollback_failed'>;

/** One execution of one plan. A member that a state lacks is null in it. */
export type Run = LiveRun | EndedRun;

/** The request that approved the run. */
export const requestOf = ({ authority }: Pick<Run, 'authority'>): ApprovalRequestId | null =>
  authority.kind === 'approval' ? authority.requestId : null;

/** The incident of the break-glass that started the run. */
export const incidentOf = ({ authority }: Pick<Run, 'authority'>): IncidentId | null =>
  authority.kind === 'break_glass' ? authority.incidentId : null;

/** A run in one of these states. */
export type RunIn<S extends RunState> = Extract<Run, { readonly state: S }>;

export const isEnded = (run: Run): run is EndedRun => run.finishedAt !== null;

/** The run in one of `states`, as its rows were decided on. @throws {Error} for any other. */
export function requireState<S extends RunState>(run: Run, ...states: readonly S[]): RunIn<S> {
  if (inState(run, states)) return run;
  throw new Error(`run ${run.id} is ${run.state}, and was decided on as ${states.join(' or ')}`);
}

const inState = <S extends RunState>(run: Run, states: readonly S[]): run is RunIn<S> =>
  states.some((state) => state === run.state);

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
