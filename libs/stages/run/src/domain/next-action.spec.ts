import fc from 'fast-check';
import { ATTEMPT_STATES, RUN_STATES } from '#lib/formats';
import { needsContext, nextAction, type NextAction } from './next-action.js';
import { isFinished } from './run-transitions.js';
import type { BatchView, RunView, StepView } from './run-view.js';

const NOW = 1_000_000;

const step = (id: string, more: Partial<StepView> = {}): StepView => ({
  id,
  kind: 'call',
  state: 'pending',
  idempotent: false,
  changes: true,
  onFailure: 'pause',
  compensation: null,
  dispatches: 0,
  failures: 0,
  untaken: false,
  leaseUntil: null,
  retryAt: null,
  finishedAt: null,
  ...more,
});

const done = (id: string, more: Partial<StepView> = {}): StepView =>
  step(id, { state: 'succeeded', finishedAt: NOW - 10_000, ...more });

const check = (id: string, more: Partial<StepView> = {}): StepView =>
  step(id, { kind: 'health_check', idempotent: true, changes: false, ...more });

const batch = (calls: readonly StepView[], more: Partial<BatchView> = {}): BatchView => ({
  phaseIndex: 0,
  batchIndex: 0,
  waitMs: 0,
  rollbackIf: null,
  calls,
  healthRound: 0,
  healthChecks: [],
  healthy: false,
  ...more,
});

const view = (batches: readonly BatchView[], more: Partial<RunView> = {}): RunView => ({
  state: 'executing',
  requested: null,
  rollingBack: false,
  startAt: null,
  frozenUntil: null,
  pauseBy: null,
  batches,
  ...more,
});

const undoable = { compensation: { idempotent: true } } as const;

describe('the next action of a run', () => {
  it.each([
    [
      'waits for the end of the freeze that it is paused for',
      view([], { state: 'paused', frozenUntil: NOW + 5 }),
      { do: 'wait', until: NOW + 5, for: 'freeze' },
    ],
    ['goes on when that is over', view([], { state: 'paused', frozenUntil: NOW }), { do: 'resume_after_freeze' }],
    [
      'cancels and rolls back in a freeze',
      view([], { state: 'paused', frozenUntil: NOW + 5, requested: 'roll_back' }),
      { do: 'take_request', request: 'roll_back' },
    ],
    [
      'stays paused after a freeze if a person asked for a pause',
      view([], { state: 'paused', frozenUntil: NOW, requested: 'pause' }),
      { do: 'nothing' },
    ],
    ['starts a queued run', view([], { state: 'queued' }), { do: 'start' }],
    [
      'waits for its time',
      view([], { state: 'queued', startAt: NOW + 5 }),
      { do: 'wait', until: NOW + 5, for: 'start' },
    ],
    ['starts at its time', view([], { state: 'queued', startAt: NOW }), { do: 'start' }],
    [
      'cancels before the start',
      view([], { state: 'queued', requested: 'cancel' }),
      { do: 'take_request', request: 'cancel' },
    ],
    ['dispatches the first call', view([batch([step('a'), step('b')])]), { do: 'dispatch', stepId: 'a' }],
    ['dispatches the next call', view([batch([done('a'), step('b')])]), { do: 'dispatch', stepId: 'b' }],
    [
      'waits for the call in flight, also before a request',
      view([batch([step('a', { state: 'dispatched', leaseUntil: NOW + 1 })])], { requested: 'cancel' }),
      { do: 'wait', until: NOW + 1, for: 'answer' },
    ],
    [
      'sends an idempotent call again when its worker is lost',
      view([batch([step('a', { state: 'dispatched', leaseUntil: NOW, idempotent: true, dispatches: 1 })])]),
      { do: 'redispatch', stepId: 'a' },
    ],
    [
      'never sends another one again',
      view([batch([step('a', { state: 'dispatched', leaseUntil: NOW, dispatches: 1 })])]),
      { do: 'give_up', stepId: 'a' },
    ],
    [
      'gives up on an idempotent call that loses every worker',
      view([batch([step('a', { state: 'dispatched', leaseUntil: NOW, idempotent: true, dispatches: 20 })])]),
      { do: 'give_up', stepId: 'a' },
    ],
    [
      'waits for the answer to a call of a paused run',
      view([batch([step('a', { state: 'dispatched', leaseUntil: NOW + 1 })])], { state: 'paused' }),
      { do: 'wait', until: NOW + 1, for: 'answer' },
    ],
    [
      'sends no lost call of a paused run again, idempotent or not',
      view([batch([step('a', { state: 'dispatched', leaseUntil: NOW, idempotent: true, dispatches: 1 })])], {
        state: 'paused',
      }),
      { do: 'give_up', stepId: 'a' },
    ],
    [
      'sends a lost compensation again if that is idempotent, whatever the call is',
      view([batch([step('a', { ...undoable, state: 'compensating', leaseUntil: NOW, dispatches: 1 })])], {
        state: 'rolling_back',
      }),
      { do: 'redispatch', stepId: 'a' },
    ],
    ...[{ idempotent: false }, null].map((compensation): [string, RunView, NextAction] => [
      `gives up on a lost compensation that is not idempotent, whatever the call is: ${JSON.stringify(compensation)}`,
      view(
        [batch([step('a', { compensation, idempotent: true, state: 'compensating', leaseUntil: NOW, dispatches: 1 })])],
        { state: 'rolling_back' },
      ),
      { do: 'give_up', stepId: 'a' },
    ]),
    [
      'goes forward until its time limit',
      view([batch([step('a')])], { pauseBy: NOW + 1 }),
      { do: 'dispatch', stepId: 'a' },
    ],
    ['goes forward no more from its time limit on', view([batch([step('a')])], { pauseBy: NOW }), { do: 'time_limit' }],
    [
      'completes after its time limit if nothing is left to do',
      view([batch([done('a')], { healthy: true })], { pauseBy: NOW - 1 }),
      { do: 'complete' },
    ],
    [
      'pauses at a call that was undone',
      view([batch([done('a', { ...undoable, state: 'compensated' })])]),
      { do: 'pause', code: 'run.step_failed', stepId: 'a' },
    ],
    [
      'retries a failed call where that does no harm',
      view([batch([step('a', { state: 'failed', onFailure: 'retry', idempotent: true, failures: 1 })])]),
      { do: 'retry', stepId: 'a' },
    ],
    [
      'never retries another one, whatever its plan says',
      view([batch([step('a', { state: 'failed', onFailure: 'retry', failures: 1 })])]),
      { do: 'pause', code: 'run.step_failed', stepId: 'a' },
    ],
    [
      'takes a request between steps',
      view([batch([done('a'), step('b')])], { requested: 'pause' }),
      { do: 'take_request', request: 'pause' },
    ],
    [
      'holds for a person where an effect is unknown, before any request',
      view([batch([step('a', { state: 'unknown' })])], { requested: 'cancel' }),
      { do: 'pause', code: 'run.effect_unknown', stepId: 'a' },
    ],
    [
      'pauses on failure',
      view([batch([step('a', { state: 'failed' })])]),
      { do: 'pause', code: 'run.step_failed', stepId: 'a' },
    ],
    [
      'rolls back on failure',
      view([batch([step('a', { state: 'failed', onFailure: 'rollback' })])]),
      { do: 'begin_rollback', stepId: 'a' },
    ],
    [
      'retries an idempotent call',
      view([batch([step('a', { state: 'failed', onFailure: 'retry', idempotent: true, failures: 2 })])]),
      { do: 'retry', stepId: 'a' },
    ],
    [
      'retries no more than its tries',
      view([batch([step('a', { state: 'failed', onFailure: 'retry', idempotent: true, failures: 3 })])]),
      { do: 'pause', code: 'run.step_failed', stepId: 'a' },
    ],
    [
      'never retries what is not idempotent',
      view([batch([step('a', { state: 'failed', onFailure: 'retry', failures: 1 })])]),
      { do: 'pause', code: 'run.step_failed', stepId: 'a' },
    ],
    [
      'offers a call again that no executor took, idempotent or not',
      view([batch([step('a', { state: 'failed', untaken: true, failures: 5 })])]),
      { do: 'retry', stepId: 'a' },
    ],
    [
      'pauses, and does not roll back, if no executor took a call in the time for it',
      view([batch([step('a', { state: 'failed', untaken: true, failures: 6, onFailure: 'rollback' })])]),
      { do: 'pause', code: 'run.step_not_taken', stepId: 'a' },
    ],
    [
      'offers a health check again that no executor took',
      view([batch([done('a')], { healthChecks: [check('h', { state: 'failed', untaken: true, failures: 1 })] })]),
      { do: 'retry', stepId: 'h' },
    ],
    [
      'pauses if no executor took a health check in the time for it',
      view([batch([done('a')], { healthChecks: [check('h', { state: 'failed', untaken: true, failures: 6 })] })]),
      { do: 'pause', code: 'run.step_not_taken', stepId: 'h' },
    ],
    [
      'waits before a retry',
      view([batch([step('a', { retryAt: NOW + 9 })])]),
      { do: 'wait', until: NOW + 9, for: 'retry' },
    ],
    [
      'tries again once the wait is over',
      view([batch([step('a', { retryAt: NOW })])]),
      { do: 'dispatch', stepId: 'a' },
    ],
    [
      'waits after a batch',
      view([batch([done('a')], { waitMs: 10_001 })]),
      { do: 'wait', until: NOW + 1, for: 'batch', batch: batch([done('a')], { waitMs: 10_001 }) },
    ],
    [
      'checks health after the wait',
      view([batch([done('a')], { waitMs: 10_000, healthChecks: [check('h')] })]),
      { do: 'dispatch', stepId: 'h' },
    ],
    [
      'pauses on a failed health check',
      view([batch([done('a')], { healthChecks: [check('h', { state: 'failed' })] })]),
      { do: 'pause', code: 'run.health_check_failed', stepId: 'h' },
    ],
    [
      'judges when every check has answered',
      view([batch([done('a')], { healthChecks: [check('h', { state: 'succeeded' })] })]),
      { do: 'evaluate_health', batch: batch([done('a')], { healthChecks: [check('h', { state: 'succeeded' })] }) },
    ],
    [
      'goes on with the next batch',
      view([batch([done('a')], { healthy: true }), batch([step('b')])]),
      { do: 'dispatch', stepId: 'b' },
    ],
    ['completes', view([batch([done('a')], { healthy: true })]), { do: 'complete' }],
    ['leaves a paused run alone', view([batch([step('a')])], { state: 'paused' }), { do: 'nothing' }],
    [
      'cancels a paused run',
      view([batch([step('a')])], { state: 'paused', requested: 'cancel' }),
      { do: 'take_request', request: 'cancel' },
    ],
    [
      'ends no paused run with an unknown effect',
      view([batch([step('a', { state: 'unknown' })])], { state: 'paused', requested: 'cancel' }),
      { do: 'nothing' },
    ],
    [
      'undoes the last call first',
      view([batch([done('a', undoable), done('b', undoable), step('c', undoable)])], {
        state: 'rolling_back',
        rollingBack: true,
      }),
      { do: 'compensate', stepId: 'b' },
    ],
    [
      'passes over what nothing undoes',
      view([batch([done('a', undoable), done('b')])], { state: 'rolling_back', rollingBack: true }),
      { do: 'compensate', stepId: 'a' },
    ],
    [
      'tries to undo again',
      view([batch([done('a', { ...undoable, state: 'compensating', retryAt: NOW })])], {
        state: 'rolling_back',
        rollingBack: true,
      }),
      { do: 'redispatch', stepId: 'a' },
    ],
    [
      'waits before it tries to undo again',
      view([batch([done('a', { ...undoable, state: 'compensating', retryAt: NOW + 1 })])], { state: 'rolling_back' }),
      { do: 'wait', until: NOW + 1, for: 'retry' },
    ],
    [
      'holds a rollback for a person where an effect is unknown, before any request',
      view([batch([done('a', undoable), step('b', { state: 'unknown' })])], {
        state: 'rolling_back',
        requested: 'pause',
      }),
      { do: 'pause', code: 'run.effect_unknown', stepId: 'b' },
    ],
    [
      'pauses a rollback between steps',
      view([batch([done('a', undoable)])], { state: 'rolling_back', requested: 'pause' }),
      { do: 'take_request', request: 'pause' },
    ],
    [
      'goes on undoing after a failure',
      view([batch([done('a', undoable), done('b', { ...undoable, state: 'compensation_failed' })])], {
        state: 'rolling_back',
        rollingBack: true,
      }),
      { do: 'compensate', stepId: 'a' },
    ],
    [
      'says so when something could not be undone',
      view(
        [
          batch([
            done('a', { ...undoable, state: 'compensated' }),
            done('b', { ...undoable, state: 'compensation_failed' }),
          ]),
        ],
        { state: 'rolling_back', rollingBack: true },
      ),
      { do: 'finish_rollback', failed: true },
    ],
    [
      'finishes a rollback',
      view([batch([done('a', { ...undoable, state: 'compensated' })])], { state: 'rolling_back', rollingBack: true }),
      { do: 'finish_rollback', failed: false },
    ],
  ] satisfies [string, RunView, NextAction][])('%s', (_title, run, expected) => {
    expect(nextAction(run, NOW)).toEqual(expected);
  });
});

describe('the locks of an action', () => {
  it.each([
    { do: 'start' },
    { do: 'dispatch', stepId: 'a' },
    { do: 'redispatch', stepId: 'a' },
    { do: 'compensate', stepId: 'a' },
    { do: 'complete' },
    { do: 'finish_rollback', failed: false },
    { do: 'take_request', request: 'cancel' },
  ] satisfies NextAction[])('hold all records before the run if it starts, ends or sends: $do', (action) => {
    expect(needsContext(action)).toBe(true);
  });

  it.each([
    { do: 'nothing' },
    { do: 'wait', until: NOW, for: 'answer' },
    { do: 'take_request', request: 'pause' },
    { do: 'take_request', request: 'roll_back' },
    { do: 'give_up', stepId: 'a' },
    { do: 'retry', stepId: 'a' },
    { do: 'evaluate_health', batch: batch([]) },
    { do: 'pause', code: 'run.step_failed', stepId: 'a' },
    { do: 'resume_after_freeze' },
    { do: 'time_limit' },
    { do: 'begin_rollback', stepId: 'a' },
  ] satisfies NextAction[])('hold the run alone for any other: $do $request', (action) => {
    expect(needsContext(action)).toBe(false);
  });
});

const anyStep = (kind: StepView['kind']) =>
  fc
    .record({
      id: fc.uuid(),
      kind: fc.constant(kind),
      state: fc.constantFrom(...ATTEMPT_STATES),
      idempotent: fc.boolean(),
      changes: fc.boolean(),
      onFailure: fc.constantFrom('pause' as const, 'rollback' as const, 'retry' as const),
      compensation: fc.option(fc.record({ idempotent: fc.boolean() })),
      dispatches: fc.nat(25),
      failures: fc.nat(8),
      untaken: fc.boolean(),
      lease: fc.integer({ min: NOW - 5, max: NOW + 5 }),
      retryAt: fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 })),
      finishedAt: fc.option(fc.integer({ min: NOW - 100, max: NOW })),
    })
    .map(({ lease, ...rest }): StepView => {
      const inFlight = rest.state === 'dispatched' || (rest.state === 'compensating' && rest.retryAt === null);
      return { ...rest, leaseUntil: inFlight ? lease : null };
    });

const anyView = fc.record({
  state: fc.constantFrom(...RUN_STATES),
  requested: fc.constantFrom(null, 'pause' as const, 'cancel' as const, 'roll_back' as const),
  rollingBack: fc.boolean(),
  startAt: fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 })),
  frozenUntil: fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 })),
  pauseBy: fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 })),
  batches: fc.array(
    fc.record({
      phaseIndex: fc.nat(3),
      batchIndex: fc.nat(3),
      waitMs: fc.nat(200),
      rollbackIf: fc.constant(null),
      calls: fc.array(anyStep('call'), { maxLength: 4 }),
      healthRound: fc.nat(2),
      healthChecks: fc.array(anyStep('health_check'), { maxLength: 2 }),
      healthy: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

const stepOf = (run: RunView, id: string): StepView | undefined =>
  run.batches.flatMap((each) => [...each.calls, ...each.healthChecks]).find((each) => each.id === id);

describe('nextAction, for any run', () => {
  it('does nothing to a run that has ended', () => {
    fc.assert(
      fc.property(anyView, fc.constantFrom(...RUN_STATES.filter(isFinished)), (run, state) => {
        expect(nextAction({ ...run, state }, NOW)).toEqual({ do: 'nothing' });
      }),
    );
  });

  it('never sends while a call is in flight, and never starts a call twice that is not idempotent', () => {
    fc.assert(
      fc.property(anyView, (run) => {
        const action = nextAction(run, NOW);
        const inFlight = run.batches
          .flatMap((each) => [...each.calls, ...each.healthChecks])
          .some((each) => each.leaseUntil !== null);
        if (action.do === 'dispatch') {
          expect(inFlight).toBe(false);
          expect(stepOf(run, action.stepId)?.state).toBe('pending');
        }
        if (action.do === 'redispatch') {
          const again = stepOf(run, action.stepId);
          if (again?.state === 'dispatched') expect(again.idempotent).toBe(true);
          if (again?.leaseUntil != null)
            expect(again.state === 'compensating' ? again.compensation?.idempotent : again.idempotent).toBe(true);
        }
        if (action.do === 'retry') {
          const failed = stepOf(run, action.stepId);
          expect(failed?.idempotent === true || failed?.untaken === true).toBe(true);
        }
      }),
    );
  });

  it('awaits, loses or sends again a call that is in flight, before anything else', () => {
    const begun = fc.constantFrom(...RUN_STATES.filter((state) => !isFinished(state)));
    fc.assert(
      fc.property(anyView, begun, (run, state) => {
        const inFlight = run.batches
          .flatMap((each) => [...each.calls, ...each.healthChecks])
          .find((each) => each.leaseUntil !== null);
        fc.pre(inFlight !== undefined);
        const action = nextAction({ ...run, state }, NOW);
        if (action.do === 'wait') expect(action).toEqual({ do: 'wait', until: inFlight.leaseUntil, for: 'answer' });
        else
          expect([
            { do: 'redispatch', stepId: inFlight.id },
            { do: 'give_up', stepId: inFlight.id },
          ]).toContainEqual(action);
      }),
    );
  });

  it('goes forward only while executing, and undoes only while rolling back', () => {
    fc.assert(
      fc.property(anyView, (run) => {
        const action = nextAction(run, NOW);
        if (action.do === 'dispatch' || action.do === 'complete' || action.do === 'retry')
          expect(run.state).toBe('executing');
        if (action.do === 'compensate' || action.do === 'finish_rollback') expect(run.state).toBe('rolling_back');
      }),
    );
  });

  it('ends no run while an effect is unknown', () => {
    const begun = fc.constantFrom(...RUN_STATES.filter((state) => state !== 'queued'));
    fc.assert(
      fc.property(anyView, begun, anyStep('call'), fc.nat(), (run, state, call, at) => {
        const unknown: StepView = { ...call, state: 'unknown' };
        const batches = run.batches.map((each, index) =>
          index === at % run.batches.length
            ? { ...each, calls: each.calls.toSpliced(at % (each.calls.length + 1), 0, unknown) }
            : each,
        );
        fc.pre(batches.length > 0);
        expect(['complete', 'finish_rollback', 'take_request', 'dispatch', 'compensate']).not.toContain(
          nextAction({ ...run, state, batches }, NOW).do,
        );
      }),
    );
  });
});
