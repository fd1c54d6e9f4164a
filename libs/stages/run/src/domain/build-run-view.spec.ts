import { buildRunView, buildViewAhead, frozenUntilOf } from './build-run-view.js';
import { call, phase, planOf, succeededStep } from './fake-run-plan.js';
import type { RunStep, StepFacts } from './run-step.js';
import type { Run } from './run.js';

const PLAN = planOf(
  phase(0, [{ calls: [call(1, ['a'])], checks: ['web'] }], {
    canary: true,
    wait_seconds: 30,
    rollback_if: 'web.errors > 0',
  }),
  phase(1, [{ calls: [call(2, ['b']), call(3, ['c'])] }, { calls: [call(4, ['d'])] }]),
);
const run = (more: Partial<Run> = {}): Run =>
  ({
    state: 'executing',
    phases: 'all',
    requested: null,
    rollbackReason: null,
    reason: null,
    startAt: null,
    pauseBy: 9_000,
    ...more,
  }) as Run;
const at = (phaseIndex: number, batchIndex: number, position: number, more: Partial<StepFacts> = {}): RunStep =>
  succeededStep({ phaseIndex, batchIndex, position, stepId: `at ${String(position)}`, ...more });
const check = (position: number, healthRound: number): RunStep =>
  at(0, 0, position, { kind: 'health_check', healthRound });

describe('the view of a run', () => {
  it('has a batch for each of its phases, with the wait and the condition of the phase', () => {
    const { batches } = buildRunView(run(), PLAN, [], [], 0.5);
    expect(batches).toMatchObject([
      { phaseIndex: 0, batchIndex: 0, waitMs: 15_000, rollbackIf: 'web.errors > 0', calls: [], healthRound: 0 },
      { phaseIndex: 1, batchIndex: 0, waitMs: 0, rollbackIf: null },
      { phaseIndex: 1, batchIndex: 1 },
    ]);
    expect(buildRunView(run({ phases: 'canary' }), PLAN, [], [], 1).batches).toHaveLength(1);
  });

  it('has the calls of each batch in their order', () => {
    const steps = [at(1, 0, 3), at(1, 1, 4), at(1, 0, 2), at(0, 0, 1)];
    const { batches } = buildRunView(run(), PLAN, steps, [], 1);
    const ids = (positions: readonly number[]) =>
      positions.map((position) => steps.find((step) => step.position === position)?.id);
    expect(batches.map(({ calls }) => calls.map(({ id }) => id))).toEqual([ids([1]), ids([2, 3]), ids([4])]);
  });

  it('has the health checks of the latest round alone', () => {
    const [first, second, third] = [check(5, 1), check(6, 2), check(7, 2)];
    const [batch] = buildRunView(run(), PLAN, [at(0, 0, 1), third, first, second], [], 1).batches;
    expect(batch?.healthRound).toBe(2);
    expect(batch?.healthChecks.map(({ id }) => id)).toEqual([second.id, third.id]);
    expect(batch?.calls).toHaveLength(1);
    const [unchecked] = buildRunView(run(), PLAN, [at(0, 0, 1)], [], 1).batches;
    expect(unchecked?.healthChecks).toEqual([]);
  });

  it('calls a batch healthy if its own result says so', () => {
    const result = (phaseIndex: number, batchIndex: number, verdict: 'healthy' | 'unclear') => ({
      phaseIndex,
      batchIndex,
      healthRound: 1,
      verdict,
    });
    const results = [result(0, 0, 'unclear'), result(1, 1, 'healthy')];
    const { batches } = buildRunView(run(), PLAN, [], results, 1);
    expect(batches.map(({ healthy }) => healthy)).toEqual([false, false, true]);
  });

  it('has what the run is asked for, and whether it has begun to roll back', () => {
    const rollbackReason = { code: 'run.step_failed', message: 'A step failed.' };
    const rolling = run({
      state: 'rolling_back',
      requested: 'pause',
      rollbackReason,
      startAt: 5,
      pauseBy: null,
    });
    expect(buildRunView(rolling, PLAN, [], [], 1)).toMatchObject({
      state: 'rolling_back',
      requested: 'pause',
      rollingBack: true,
      startAt: 5,
      pauseBy: null,
      frozenUntil: null,
    });
    expect(buildRunView(run(), PLAN, [], [], 1)).toMatchObject({ rollingBack: false, pauseBy: 9_000 });
  });

  it('has of each step the facts that decide its next call', () => {
    const step = at(0, 0, 1, {
      compensationIdempotent: false,
      attempts: 3,
      compensations: 7,
      failures: 1,
      onFailure: 'retry',
    });
    const viewed = (given: RunStep) => buildRunView(run(), PLAN, [given], [], 1).batches[0]?.calls[0];
    expect(viewed(step)).toEqual({
      id: step.id,
      kind: 'call',
      state: 'succeeded',
      idempotent: false,
      changes: true,
      onFailure: 'retry',
      compensation: { idempotent: false },
      dispatches: 3,
      failures: 1,
      untaken: false,
      leaseUntil: null,
      retryAt: null,
      finishedAt: 1_000,
    });
    const undone = { ...step, state: 'compensating', leaseUntil: 2_000, compensationIdempotent: null } as RunStep;
    expect(viewed(undone)).toMatchObject({ dispatches: 7, leaseUntil: 2_000, compensation: null });
    const error = { code: 'dispatch.not_taken', message: 'Nobody took it.' };
    expect(viewed({ ...step, state: 'failed', error } as RunStep)).toMatchObject({ untaken: true });
  });

  it('leaves batches without a step out if it is of the steps ahead', () => {
    const ahead = buildViewAhead(run(), PLAN, [at(1, 1, 4)], 1);
    expect(ahead.batches.map(({ phaseIndex, batchIndex }) => [phaseIndex, batchIndex])).toEqual([[1, 1]]);
    expect(ahead.state).toBe('executing');
  });
});

describe('the end of a freeze', () => {
  const until = '2026-01-05T09:00:00.000Z';
  const reason = (code: string, details?: object) =>
    ({ code, message: 'Frozen.', ...(details && { details }) }) as Run['reason'];

  it.each<[string, Run['state'], Run['reason'], number | null]>([
    ['of a run that is paused for it', 'paused', reason('freeze.active', { until }), Date.parse(until)],
    ['of a run that is paused for something else', 'paused', reason('run.step_failed', { until }), null],
    ['of a run that goes forward', 'executing', reason('freeze.active', { until }), null],
    ['without an end', 'paused', reason('freeze.active', { until: null }), null],
    ['without details', 'paused', reason('freeze.active'), null],
    ['without a reason', 'paused', null, null],
  ])('%s is known, and none other', (_what, state, given, at) => {
    expect(frozenUntilOf({ state, reason: given })).toBe(at);
  });
});
