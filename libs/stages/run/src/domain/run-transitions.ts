import type { RunState } from '#lib/formats';
import { err, ok, type Result } from '#lib/kernel';

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

export type RunEventName = Exclude<(typeof RUN_TRANSITIONS)[number][1], 'create'>;

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
  (FINISHED_RUN_STATES as readonly RunState[]).includes(state);

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

/** The state after an event, or `run.wrong_state`. */
export function nextRunState(from: RunState, event: RunEventName): Result<RunState> {
  const row = RUN_TRANSITIONS.find(([before, name]) => before === from && name === event);
  if (row !== undefined) return ok(row[2]);
  return err({
    kind: 'conflict',
    code: 'run.wrong_state',
    message: `The run ${RUN_STATE_WORDS[from]}: it cannot ${EVENT_WORDS[event]} ${isFinished(from) ? 'any more' : 'now'}.`,
    action: 'Get the run and see what its state allows.',
    details: { state: from },
  });
}
