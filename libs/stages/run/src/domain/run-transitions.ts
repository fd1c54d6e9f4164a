import type { RunState } from '#lib/formats';
import type { Failure } from '#lib/kernel';

/**
 * Run lifecycle. The rows of `run_transition` (migrations/0140_run.sql) are the same table; a test compares them.
 *
 *   queued ──start──▶ executing ──complete──▶ completed
 *   executing ──pause──▶ paused ──resume──▶ executing
 *   executing, paused ──roll_back──▶ rolling_back ──finish_rollback──▶ rolled_back
 *                                    rolling_back ──fail_rollback──▶ rollback_failed
 *                                    rolling_back ──pause──▶ paused
 *   queued, executing, paused ──cancel──▶ cancelled
 *   queued, executing, paused ──fail──▶ failed
 */
export const RUN_TRANSITIONS = [
  ['', 'create', 'queued'],
  ['queued', 'start', 'executing'],
  ['queued', 'cancel', 'cancelled'],
  ['queued', 'fail', 'failed'],
  ['executing', 'pause', 'paused'],
  ['executing', 'complete', 'completed'],
  ['executing', 'roll_back', 'rolling_back'],
  ['executing', 'fail', 'failed'],
  ['executing', 'cancel', 'cancelled'],
  ['paused', 'resume', 'executing'],
  ['paused', 'roll_back', 'rolling_back'],
  ['paused', 'fail', 'failed'],
  ['paused', 'cancel', 'cancelled'],
  ['rolling_back', 'finish_rollback', 'rolled_back'],
  ['rolling_back', 'fail_rollback', 'rollback_failed'],
  ['rolling_back', 'pause', 'paused'],
] as const satisfies readonly (readonly ['' | RunState, string, RunState])[];

type Transition = (typeof RUN_TRANSITIONS)[number];

export type RunEventName = Exclude<Transition[1], 'create'>;

/** The states that an event is legal in. */
export type FromState<E extends RunEventName> = Exclude<Extract<Transition, readonly [string, E, string]>[0], ''>;

/** The state after an event. */
export type ToState<E extends RunEventName> = Extract<Transition, readonly [string, E, string]>[2];

/** The events that a run goes on after. */
export type MovingEvent = 'start' | 'pause' | 'resume' | 'roll_back';
export type EndingEvent = Exclude<RunEventName, MovingEvent>;

export const RUN_EVENTS: readonly RunEventName[] = [
  'start',
  'pause',
  'resume',
  'complete',
  'roll_back',
  'finish_rollback',
  'fail_rollback',
  'cancel',
  'fail',
];

/** States that a run never leaves. */
export const FINISHED_RUN_STATES = [
  'completed',
  'failed',
  'cancelled',
  'rolled_back',
  'rollback_failed',
] as const satisfies readonly RunState[];
export type FinishedRunState = (typeof FINISHED_RUN_STATES)[number];

export const isFinished = (state: RunState): state is FinishedRunState =>
  FINISHED_RUN_STATES.some((one) => one === state);

/** A state, as it completes "the run …". */
export const RUN_STATE_WORDS: Readonly<Record<RunState, string>> = {
  queued: 'is queued',
  executing: 'is executing',
  paused: 'is paused',
  rolling_back: 'is rolling back',
  completed: 'is completed',
  failed: 'has failed',
  cancelled: 'is cancelled',
  rolled_back: 'is rolled back',
  rollback_failed: 'could not be rolled back',
};

const EVENT_WORDS: Readonly<Record<RunEventName, string>> = {
  start: 'be started',
  pause: 'be paused',
  resume: 'be resumed',
  complete: 'be completed',
  roll_back: 'be rolled back',
  finish_rollback: 'finish rolling back',
  fail_rollback: 'fail to roll back',
  cancel: 'be cancelled',
  fail: 'fail',
};

/** Whether the lifecycle has this event in this state. */
export const allows = (from: RunState, event: RunEventName): boolean =>
  RUN_TRANSITIONS.some(([before, name]) => before === from && name === event);

/** The refusal of an event that the state does not allow. */
export const wrongState = (from: RunState, event: RunEventName): Failure => ({
  kind: 'conflict',
  code: 'run.wrong_state',
  message: `The run ${RUN_STATE_WORDS[from]}: it cannot ${EVENT_WORDS[event]} ${isFinished(from) ? 'any more' : 'now'}.`,
  action: 'Get the run and see what its state allows.',
  details: { state: from },
});
