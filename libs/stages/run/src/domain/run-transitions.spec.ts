import { ATTEMPT_STATES, type AttemptState, RUN_STATES, type RunState } from '#lib/formats';
import { ATTEMPT_EVENTS, type AttemptEventName, nextAttemptState } from './attempt-transitions.js';
import { FINISHED_RUN_STATES, nextRunState, RUN_EVENTS, type RunEventName } from './run-transitions.js';

const RUN: Partial<Record<`${RunState} ${RunEventName}`, RunState>> = {
  'queued start': 'executing',
  'queued cancel': 'cancelled',
  'queued fail': 'failed',
  'executing pause': 'paused',
  'executing complete': 'completed',
  'executing roll_back': 'rolling_back',
  'executing fail': 'failed',
  'executing cancel': 'cancelled',
  'paused resume': 'executing',
  'paused roll_back': 'rolling_back',
  'paused fail': 'failed',
  'paused cancel': 'cancelled',
  'rolling_back finish_rollback': 'rolled_back',
  'rolling_back fail_rollback': 'rollback_failed',
  'rolling_back pause': 'paused',
};

describe.each(RUN_STATES)('a run that is %s', (state) => {
  it.each(RUN_EVENTS)('and %s', (event) => {
    const expected = RUN[`${state} ${event}`];
    const next = nextRunState(state, event);
    if (expected !== undefined) expect(next).toEqual({ ok: true, value: expected });
    else expect(next).toMatchObject({ ok: false, error: { code: 'run.wrong_state', details: { state } } });
  });
});

it.each(FINISHED_RUN_STATES)('%s is never left', (state) => {
  expect(RUN_EVENTS.filter((event) => nextRunState(state, event).ok)).toEqual([]);
});

it.each<[RunState, RunEventName, string]>([
  ['cancelled', 'cancel', 'The run is cancelled: it cannot be cancelled any more.'],
  ['rollback_failed', 'roll_back', 'The run could not be rolled back: it cannot be rolled back any more.'],
  ['rolling_back', 'cancel', 'The run is rolling back: it cannot be cancelled now.'],
  ['queued', 'pause', 'The run is queued: it cannot be paused now.'],
])('a run that is %s and %s is told of in words', (state, event, message) => {
  expect(nextRunState(state, event)).toMatchObject({ ok: false, error: { message } });
});

const ATTEMPT: Partial<Record<`${AttemptState} ${AttemptEventName}`, AttemptState>> = {
  'pending dispatch': 'dispatched',
  'dispatched succeed': 'succeeded',
  'dispatched fail': 'failed',
  'dispatched lose': 'unknown',
  'unknown resolve_happened': 'succeeded',
  'unknown resolve_did_not': 'failed',
  'unknown resolve_undone': 'compensated',
  'unknown resolve_not_undone': 'succeeded',
  'failed retry': 'pending',
  'succeeded compensate': 'compensating',
  'compensating undo': 'compensated',
  'compensating fail_to_undo': 'compensation_failed',
  'compensating lose': 'unknown',
};

describe.each(ATTEMPT_STATES)('an attempt that is %s', (state) => {
  it.each(ATTEMPT_EVENTS)('and %s', (event) => {
    const expected = ATTEMPT[`${state} ${event}`];
    const next = nextAttemptState(state, event);
    if (expected !== undefined) expect(next).toEqual({ ok: true, value: expected });
    else expect(next).toMatchObject({ ok: false, error: { code: 'run_step.wrong_state', details: { state } } });
  });
});
