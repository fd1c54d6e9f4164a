import { newId, type RunId } from '#lib/kernel';
import type { RunStepId } from './ids.js';
import type {
  DispatchedStep,
  FailedStep,
  PendingStep,
  RunStep,
  StepFacts,
  SucceededStep,
  UndoAgainStep,
  UndoingStep,
  UnknownStep,
} from './run-step.js';
import {
  answered,
  dispatched,
  givenUp,
  putBack,
  resolved,
  restored,
  RESTORED,
  retried,
  undoing,
  UNTOUCHED,
  WORKER_LOST,
} from './step-changes.js';

const NOW = 1_000_000;
const LEASE = { now: NOW, until: NOW + 60_000 };
const REFUSED = { code: 'tool.refused', message: 'The host refused.' };
const NO_ANSWER = { code: 'dispatch.timeout', message: 'No answer.' };

const facts: StepFacts = {
  id: newId<RunStepId>(),
  runId: newId<RunId>(),
  position: 0,
  kind: 'call',
  phaseIndex: 0,
  batchIndex: 0,
  seq: 1,
  stepId: 'deploy',
  healthRound: 0,
  toolName: 'deploy',
  toolVersion: 1,
  idempotent: false,
  changes: true,
  onFailure: 'pause',
  compensationIdempotent: null,
  attempts: 1,
  compensations: 0,
  failures: 0,
  fence: 4,
  resolvedAs: null,
};
const UNTAKEN = { code: 'dispatch.not_taken', message: 'Nobody took it.' };
const idle = { leaseUntil: null, unknownOf: null, retryAt: null } as const;
type More = Partial<StepFacts>;

const pending = (more: More = {}): PendingStep => ({ ...facts, ...UNTOUCHED, ...more });
const inFlight = (more: More = {}): DispatchedStep => ({
  ...facts,
  ...idle,
  state: 'dispatched',
  leaseUntil: NOW - 1,
  error: null,
  finishedAt: null,
  ...more,
});
const done = (more: More = {}): SucceededStep => ({
  ...facts,
  ...idle,
  state: 'succeeded',
  error: null,
  finishedAt: NOW - 10_000,
  ...more,
});
const failed = (more: More = {}): FailedStep => ({
  ...facts,
  ...idle,
  state: 'failed',
  error: REFUSED,
  finishedAt: NOW - 10_000,
  failures: 1,
  ...more,
});
const undone = (more: More = {}): UndoingStep => ({
  ...facts,
  ...idle,
  state: 'compensating',
  leaseUntil: NOW - 1,
  error: null,
  finishedAt: NOW - 10_000,
  compensations: 1,
  ...more,
});
const undoAgain = (more: More = {}): UndoAgainStep => ({
  ...undone(more),
  leaseUntil: null,
  retryAt: NOW - 1,
  error: REFUSED,
});
const unknown = (unknownOf: 'call' | 'compensation', more: More = {}): UnknownStep => ({
  ...facts,
  ...idle,
  state: 'unknown',
  unknownOf,
  error: NO_ANSWER,
  finishedAt: NOW - 10_000,
  ...more,
});

describe('a dispatch', () => {
  it.each<[string, PendingStep | DispatchedStep]>([
    ['of a call that waited', pending({ attempts: 1, fence: 4, resolvedAs: 'did_not' })],
    ['of a call whose worker was lost', inFlight()],
  ])('counts an attempt, and has a new fence and a lease: %s', (_what, step) => {
    expect(dispatched(step, LEASE)).toEqual({
      ...step,
      state: 'dispatched',
      attempts: 2,
      fence: 5,
      leaseUntil: LEASE.until,
      retryAt: null,
      resolvedAs: null,
    });
  });

  it('has a lease that is over at once if its time is over', () => {
    expect(dispatched(pending(), { now: NOW, until: NOW - 1 }).leaseUntil).toBe(NOW);
  });
});

describe('a compensation', () => {
  it.each<[string, SucceededStep | UndoingStep | UndoAgainStep, failures: number]>([
    ['starts with no failure', done({ failures: 2 }), 0],
    ['keeps its failures if it is sent again', undoAgain({ failures: 2 }), 2],
    ['keeps its failures if its worker was lost', undone({ failures: 1 }), 1],
  ])('%s, and has a new fence and a lease', (_what, step, failures) => {
    expect(undoing(step, LEASE)).toMatchObject({
      state: 'compensating',
      compensations: step.compensations + 1,
      attempts: step.attempts,
      fence: 5,
      failures,
      leaseUntil: LEASE.until,
      retryAt: null,
      finishedAt: step.finishedAt,
    });
  });
});

describe('an answer to a call', () => {
  it('that succeeded ends the step without an error', () => {
    const step = { ...inFlight({ failures: 2 }), error: REFUSED };
    expect(answered(step, { kind: 'succeeded' }, NOW)).toEqual({
      ...step,
      state: 'succeeded',
      failures: 0,
      error: null,
      leaseUntil: null,
      finishedAt: NOW,
    });
  });

  it('that failed is a failed step', () => {
    const step = inFlight();
    const after = { ...step, state: 'failed', failures: 1, error: REFUSED, leaseUntil: null, finishedAt: NOW };
    expect(answered(step, { kind: 'failed', error: REFUSED }, NOW)).toEqual(after);
  });

  it.each<[string, More, state: RunStep['state']]>([
    ['is unknown if the call is not idempotent', {}, 'unknown'],
    ['is unknown if the plan does not try again', { idempotent: true }, 'unknown'],
    ['is a failure if the call is tried again', { idempotent: true, onFailure: 'retry' }, 'failed'],
    ['is a failure if one try is left', { idempotent: true, onFailure: 'retry', failures: 1 }, 'failed'],
    ['is unknown if no try is left', { idempotent: true, onFailure: 'retry', failures: 2 }, 'unknown'],
    ['is a failure of a health check', { kind: 'health_check', idempotent: true }, 'failed'],
  ])('with an unknown effect %s', (_what, more, state) => {
    const step = inFlight(more);
    expect(answered(step, { kind: 'unknown', error: NO_ANSWER }, NOW)).toEqual({
      ...step,
      state,
      failures: step.failures + 1,
      error: NO_ANSWER,
      leaseUntil: null,
      finishedAt: NOW,
      unknownOf: state === 'unknown' ? 'call' : null,
    });
  });
});

describe('an answer to a compensation', () => {
  it('that succeeded makes the step compensated, and keeps the time of its call', () => {
    const step = { ...undone({ failures: 1 }), error: REFUSED };
    expect(answered(step, { kind: 'succeeded' }, NOW)).toEqual({
      ...step,
      state: 'compensated',
      failures: 0,
      error: null,
      leaseUntil: null,
    });
  });

  it.each<['failed' | 'unknown', More, state: RunStep['state']]>([
    ['failed', { compensationIdempotent: false }, 'compensation_failed'],
    ['failed', { compensationIdempotent: null }, 'compensation_failed'],
    ['failed', { compensationIdempotent: true, failures: 1 }, 'compensating'],
    ['failed', { compensationIdempotent: true, failures: 2 }, 'compensation_failed'],
    ['unknown', { compensationIdempotent: false }, 'unknown'],
    ['unknown', { compensationIdempotent: true }, 'compensating'],
    ['unknown', { compensationIdempotent: true, failures: 2 }, 'unknown'],
  ])('that %s, with %j, leaves the step %s', (kind, more, state) => {
    const step = undone(more);
    const failures = step.failures + 1;
    expect(answered(step, { kind, error: NO_ANSWER }, NOW)).toEqual({
      ...step,
      state,
      failures,
      error: NO_ANSWER,
      leaseUntil: null,
      retryAt: state === 'compensating' ? NOW + 1_000 * 2 ** (failures - 1) : null,
      unknownOf: state === 'unknown' ? 'compensation' : null,
    });
  });
});

describe('an answer that no executor took the compensation', () => {
  it.each<[More, state: RunStep['state']]>([
    [{ compensationIdempotent: false, failures: 4 }, 'compensating'],
    [{ compensationIdempotent: false, failures: 5 }, 'compensation_failed'],
  ])('has it offered again, idempotent or not, and not for ever: %j', (more, state) => {
    expect(answered(undone(more), { kind: 'failed', error: UNTAKEN }, NOW)).toMatchObject({ state });
  });
});

describe('a step whose worker was lost', () => {
  it.each<[string, RunStep & (DispatchedStep | UndoingStep), object]>([
    ['a call that is not idempotent is unknown', inFlight(), { state: 'unknown', unknownOf: 'call', finishedAt: NOW }],
    ['an idempotent call failed', inFlight({ idempotent: true }), { state: 'failed', failures: 1, finishedAt: NOW }],
    [
      'a compensation that is not idempotent is unknown',
      undone({ compensationIdempotent: false }),
      { state: 'unknown', unknownOf: 'compensation', finishedAt: NOW - 10_000 },
    ],
    [
      'an idempotent compensation is due at once',
      undone({ compensationIdempotent: true, failures: 1 }),
      { state: 'compensating', retryAt: NOW, failures: 1 },
    ],
  ])('%s', (_what, step, after) => {
    expect(givenUp(step, NOW)).toEqual({ ...step, leaseUntil: null, error: WORKER_LOST, ...after });
  });
});

describe('a step that a backup shows as under way', () => {
  it.each<[string, DispatchedStep | UndoingStep | UndoAgainStep, object]>([
    ['its call', inFlight({ idempotent: true }), { unknownOf: 'call', finishedAt: NOW }],
    ['its compensation', undone({ compensationIdempotent: true }), { unknownOf: 'compensation' }],
    ['its compensation before the next try', undoAgain(), { unknownOf: 'compensation' }],
  ])('is unknown, idempotent or not: %s', (_what, step, after) => {
    const lost = { state: 'unknown', leaseUntil: null, retryAt: null, error: RESTORED };
    expect(restored(step, NOW)).toEqual({ ...step, ...lost, ...after });
  });
});

describe('a failed step', () => {
  it.each([
    [1, NOW - 500, NOW + 500],
    [2, NOW - 500, NOW + 1_500],
    [2, NOW - 5_000, NOW],
  ])('waits longer after each failure, from its end: %i failures', (failures, finishedAt, retryAt) => {
    const step = { ...failed({ failures }), finishedAt };
    expect(retried(step, NOW, 31_000)).toEqual({ ...step, state: 'pending', retryAt, finishedAt: null });
  });

  it.each([
    [1, 200],
    [2, 400],
    [5, 3_200],
  ])('that no executor took waits for its share of the pauses: %i offers', (failures, pauseMs) => {
    const step = { ...failed({ failures }), error: UNTAKEN, finishedAt: NOW };
    expect(retried(step, NOW, 6_200)).toMatchObject({ state: 'pending', retryAt: NOW + pauseMs, failures });
  });

  it('that no executor took is put back by a person, idempotent or not', () => {
    const untaken = { ...failed(), error: UNTAKEN };
    expect(resolved(untaken, 'retry')).toEqual({ ok: true, value: [putBack(untaken)] });
  });

  it('that a person puts back has all its tries, at once', () => {
    const step = failed({ failures: 3 });
    expect(putBack(step)).toEqual({ ...step, state: 'pending', failures: 0, finishedAt: null, error: null });
  });
});

describe('a person who resolves a step', () => {
  const statesOf = (step: RunStep, resolution: 'happened' | 'did_not' | 'retry'): readonly string[] | string => {
    const result = resolved(step, resolution);
    return result.ok ? result.value.map(({ state }) => state) : result.error.code;
  };

  it.each<[RunStep, 'happened' | 'did_not' | 'retry', readonly string[] | string]>([
    [unknown('call'), 'happened', ['succeeded']],
    [unknown('call'), 'did_not', ['failed']],
    [unknown('compensation'), 'happened', ['compensated']],
    [unknown('compensation'), 'did_not', ['succeeded']],
    [failed({ compensationIdempotent: true }), 'retry', 'run_step.retry_needs_did_not'],
    [done({ compensationIdempotent: true }), 'retry', 'run_step.retry_needs_did_not'],
    [failed(), 'happened', 'run_step.not_unknown'],
    [done(), 'did_not', 'run_step.not_unknown'],
    [failed(), 'retry', 'run_step.retry_needs_did_not'],
    [failed({ resolvedAs: 'happened' }), 'retry', 'run_step.retry_needs_did_not'],
    [failed({ resolvedAs: 'did_not' }), 'retry', ['pending']],
    [failed({ idempotent: true }), 'retry', ['pending']],
    [done({ idempotent: true }), 'retry', 'run_step.retry_needs_did_not'],
    [unknown('call'), 'retry', 'run_step.retry_needs_did_not'],
    [unknown('call', { compensationIdempotent: true }), 'retry', 'run_step.retry_needs_did_not'],
    [unknown('call', { idempotent: true }), 'retry', ['failed', 'pending']],
    [unknown('compensation', { idempotent: true }), 'retry', 'run_step.retry_needs_did_not'],
    [unknown('compensation', { compensationIdempotent: true }), 'retry', ['succeeded']],
  ])('$state, resolved as %s: %j', (step, resolution, states) => {
    expect(statesOf(step, resolution)).toEqual(states);
  });

  it('leaves the finding on the step, and nothing unknown about it', () => {
    for (const finding of ['happened', 'did_not'] as const) {
      const result = resolved(unknown('compensation', { failures: 2 }), finding);
      expect(result).toMatchObject({ value: [{ unknownOf: null, resolvedAs: finding, failures: 0 }] });
      const ofCall = resolved(unknown('call', { failures: 2 }), finding);
      expect(ofCall).toMatchObject({ value: [{ unknownOf: null, resolvedAs: finding, failures: 2 }] });
    }
  });

  it('gets the state of the step with a refusal', () => {
    for (const resolution of ['happened', 'retry'] as const)
      expect(resolved(done(), resolution)).toMatchObject({ error: { details: { state: 'succeeded' } } });
  });
});
