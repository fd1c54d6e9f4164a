import { ATTEMPT_STATES } from '#lib/formats';
import { succeededStep } from './fake-run-plan.js';
import { isInFlight, purposeOf, requireStepState, type RunStep, type SendableStep } from './run-step.js';
import { isEnded, requireState, type Run } from './run.js';
import { givenUpAttempt, isFinishedAttempt, type StepAttempt } from './step-attempt.js';

const inState = (state: RunStep['state'], leaseUntil: number | null = null): RunStep =>
  ({ ...succeededStep(), state, leaseUntil }) as RunStep;

it.each([
  ['pending', 'call'],
  ['dispatched', 'call'],
  ['succeeded', 'compensation'],
  ['compensating', 'compensation'],
] as const)('the next call of a step that is %s is its %s', (state, purpose) => {
  expect(purposeOf(inState(state) as SendableStep)).toBe(purpose);
});

it('a step is in flight while it has a lease, even one that began at zero', () => {
  expect([
    isInFlight(inState('dispatched', 0)),
    isInFlight(inState('dispatched', 5)),
    isInFlight(inState('compensating')),
  ]).toEqual([true, true, false]);
});

it.each(ATTEMPT_STATES)('a step that is %s is required in its own state, and in no other', (state) => {
  const step = inState(state);
  const others = ATTEMPT_STATES.filter((other) => other !== state);
  expect(requireStepState(step, ...others.slice(0, 1), state)).toBe(step);
  expect(() => requireStepState(step, ...others)).toThrow(`step ${step.id} is ${state}, and was decided on as`);
});

it('a run is required in the states that it was decided on', () => {
  const run = { id: 'run', state: 'paused', finishedAt: null } as Run;
  expect(requireState(run, 'executing', 'paused')).toBe(run);
  expect(() => requireState(run, 'executing', 'queued')).toThrow(
    'run run is paused, and was decided on as executing or queued',
  );
});

it('a run has ended, and an attempt finished, once it has a time of its end', () => {
  const [open, closed] = [{ finishedAt: null }, { finishedAt: 0 }];
  expect([isEnded(open as Run), isEnded(closed as Run)]).toEqual([false, true]);
  expect([isFinishedAttempt(open as StepAttempt), isFinishedAttempt(closed as StepAttempt)]).toEqual([false, true]);
});

it('an attempt that is given up has an unknown effect, and the error', () => {
  const error = { code: 'run.worker_lost', message: 'Lost.' };
  expect(givenUpAttempt(error, 7)).toEqual({ finishedAt: 7, outcome: 'unknown', effect: null, result: null, error });
});
