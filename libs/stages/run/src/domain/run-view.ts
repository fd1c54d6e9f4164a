import type { AttemptState, RunState } from '#lib/formats';

/** A request to a run; it is taken between steps. */
export type RunRequest = 'pause' | 'cancel' | 'roll_back';

/** The facts of one call or health check that decide the next action. Times are epoch milliseconds. */
export interface StepView {
  readonly id: string;
  readonly kind: 'call' | 'health_check';
  readonly state: AttemptState;
  readonly idempotent: boolean;
  readonly changes: boolean;
  readonly onFailure: 'pause' | 'rollback' | 'retry';
  /** Null if no call undoes it. */
  readonly compensation: { readonly idempotent: boolean } | null;
  /** How often it was dispatched, for the purpose it is in now. */
  readonly dispatches: number;
  /** Failures in a row of the call or compensation under way. */
  readonly failures: number;
  /** Whether its last try ended because no executor took the call. */
  readonly untaken: boolean;
  readonly leaseUntil: number | null;
  readonly retryAt: number | null;
  readonly finishedAt: number | null;
}

/** A step with a call that was sent and not yet answered. */
export interface InFlightStepView extends StepView {
  readonly leaseUntil: number;
}

/** One batch of one phase, in the order of execution. */
export interface BatchView {
  readonly phaseIndex: number;
  readonly batchIndex: number;
  /** The wait after the batch, already scaled. */
  readonly waitMs: number;
  readonly rollbackIf: string | null;
  readonly calls: readonly StepView[];
  /** The latest round of its health checks; 0 if it has none. */
  readonly healthRound: number;
  /** Those of the latest round. */
  readonly healthChecks: readonly StepView[];
  /** Whether the latest round was found healthy. */
  readonly healthy: boolean;
}

/** A run as `nextAction` sees it: only the batches of the phases that it executes. */
export interface RunView {
  readonly state: RunState;
  readonly requested: RunRequest | null;
  /** True once it has begun to roll back: it goes forward no more, also after a pause. */
  readonly rollingBack: boolean;
  readonly startAt: number | null;
  /** When the freeze ends that it is paused for; null if it is not. */
  readonly frozenUntil: number | null;
  /** From when on it goes forward no more by itself. */
  readonly pauseBy: number | null;
  readonly batches: readonly BatchView[];
}

/** Every call of the run, in order. */
export const callsOf = (view: RunView): readonly StepView[] => view.batches.flatMap((batch) => batch.calls);

/** Every step of the run, in order. */
export const stepsOf = (view: RunView): readonly StepView[] =>
  view.batches.flatMap((batch) => [...batch.calls, ...batch.healthChecks]);
