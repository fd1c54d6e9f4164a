import { ATTEMPT_STATES, type AttemptState, RUN_STATES, type RunState } from '#lib/formats';
import { ATTEMPT_TRANSITIONS } from './attempt-transitions.js';
import {
  allows,
  FINISHED_RUN_STATES,
  RUN_EVENTS,
  RUN_TRANSITIONS,
  type RunEventName,
  wrongState,
} from './run-transitions.js';

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
    const [row] = RUN_TRANSITIONS.filter(([from, name]) => from === state && name === event);
    expect(row?.[2]).toBe(expected);
    expect(allows(state, event)).toBe(expected !== undefined);
    expect(wrongState(state, event)).toMatchObject({ code: 'run.wrong_state', details: { state } });
  });
});

it.each(FINISHED_RUN_STATES)('%s is never left', (state) => {
  expect(RUN_EVENTS.filter((event) => allows(state, event))).toEqual([]);
});

it.each<[RunState, RunEventName, string]>([
  ['cancelled', 'cancel', 'The run is cancelled: it cannot be cancelled any more.'],
  ['rollback_failed', 'roll_back', 'The run could not be rolled back: it cannot be rolled back any more.'],
  ['rolling_back', 'cancel', 'The run is rolling back: it cannot be cancelled now.'],
  ['queued', 'pause', 'The run is queued: it cannot be paused now.'],
])('a run that is %s and %s is told of in words', (state, event, message) => {
  expect(wrongState(state, event)).toMatchObject({ message });
});

const ATTEMPT: Partial<Record<AttemptState, Readonly<Record<string, AttemptState>>>> = {
  pending: { dispatch: 'dispatched' },
  dispatched: { succeed: 'succeeded', fail: 'failed', lose: 'unknown' },
  unknown: {
    resolve_happened: 'succeeded',
    resolve_did_not: 'failed',
    resolve_undone: 'compensated',
    resolve_not_undone: 'succeeded',
  },
  failed: { retry: 'pending' },
  succeeded: { compensate: 'compensating' },
  compensating: { undo: 'compensated', fail_to_undo: 'compensation_failed', lose: 'unknown' },
};

it.each(ATTEMPT_STATES)('an attempt that is %s goes on to these states alone', (state) => {
  const rows = ATTEMPT_TRANSITIONS.filter(([from]) => from === state);
  expect(Object.fromEntries(rows.map(([, event, to]) => [event, to]))).toEqual(ATTEMPT[state] ?? {});
});
