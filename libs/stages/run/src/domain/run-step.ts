import type { AttemptState } from '#lib/formats';
import type { RunId } from '#lib/kernel';
import type { RunStepId } from './ids.js';

/** The facts of a step in every state. Times are epoch milliseconds. */
export interface StepFacts {
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
  readonly attempts: number;
  readonly compensations: number;
  readonly failures: number;
  readonly fence: number;
  /** A person's last finding about an unknown effect. */
  readonly resolvedAs: 'happened' | 'did_not' | null;
}

interface NotOut {
  readonly leaseUntil: null;
}

interface NotUnknown {
  readonly unknownOf: null;
}

export type PendingStep = StepFacts &
  NotOut &
  NotUnknown & {
    readonly state: 'pending';
    readonly retryAt: number | null;
    /** The error of the attempt before. */
    readonly error: StepError | null;
    readonly finishedAt: null;
  };

export type DispatchedStep = StepFacts &
  NotUnknown & {
    readonly state: 'dispatched';
    readonly leaseUntil: number;
    readonly retryAt: null;
    readonly error: StepError | null;
    readonly finishedAt: null;
  };

export type SucceededStep = StepFacts &
  NotOut &
  NotUnknown & {
    readonly state: 'succeeded';
    readonly retryAt: null;
    /** The reason why its effect was unknown, if a person found that it happened. */
    readonly error: StepError | null;
    readonly finishedAt: number;
  };

export type FailedStep = StepFacts &
  NotOut &
  NotUnknown & {
    readonly state: 'failed';
    readonly retryAt: null;
    readonly error: StepError;
    readonly finishedAt: number;
  };

export type UnknownStep = StepFacts &
  NotOut & {
    readonly state: 'unknown';
    readonly unknownOf: 'call' | 'compensation';
    readonly retryAt: null;
    readonly error: StepError;
    readonly finishedAt: number;
  };

interface Undoing extends NotUnknown {
  readonly state: 'compensating';
  /** When the call succeeded. */
  readonly finishedAt: number;
}

/** The call that undoes the step is in flight. */
export type UndoingStep = StepFacts &
  Undoing & { readonly leaseUntil: number; readonly retryAt: null; readonly error: StepError | null };

/** The call that undoes the step failed, and is sent again. */
export type UndoAgainStep = StepFacts &
  Undoing &
  NotOut & {
    readonly retryAt: number;
    readonly error: StepError;
  };

export type CompensatedStep = StepFacts &
  NotOut &
  NotUnknown & {
    readonly state: 'compensated';
    readonly retryAt: null;
    readonly error: StepError | null;
    readonly finishedAt: number;
  };

export type NotUndoneStep = StepFacts &
  NotOut &
  NotUnknown & {
    readonly state: 'compensation_failed';
    readonly retryAt: null;
    readonly error: StepError;
    readonly finishedAt: number;
  };

/** A step with a call that was sent and not yet answered. */
export type InFlightStep = DispatchedStep | UndoingStep;

/** One call of a run or one health check, and the state of its latest attempt. A member that a state lacks is null in it. */
export type RunStep =
  | PendingStep
  | InFlightStep
  | SucceededStep
  | FailedStep
  | UnknownStep
  | UndoAgainStep
  | CompensatedStep
  | NotUndoneStep;

/** A step in one of these states. */
export type StepIn<S extends AttemptState> = Extract<RunStep, { readonly state: S }>;

/** A step with a call that may be sent, or sent again: its own, or the one that undoes it. */
export type SendableStep = PendingStep | DispatchedStep | SucceededStep | UndoingStep | UndoAgainStep;

/** The call of a step that is sent next, or is in flight. */
export const purposeOf = ({ state }: SendableStep): 'call' | 'compensation' =>
  state === 'succeeded' || state === 'compensating' ? 'compensation' : 'call';

export const isInFlight = (step: RunStep): step is InFlightStep => step.leaseUntil !== null;

/** The step in one of `states`, as its rows were decided on. @throws {Error} for any other. */
export function requireStepState<S extends AttemptState>(step: RunStep, ...states: readonly S[]): StepIn<S> {
  if (stepInState(step, states)) return step;
  throw new Error(`step ${step.id} is ${step.state}, and was decided on as ${states.join(' or ')}`);
}

const stepInState = <S extends AttemptState>(step: RunStep, states: readonly S[]): step is StepIn<S> =>
  states.some((state) => state === step.state);

export interface StepError {
  readonly code: string;
  readonly message: string;
}
