import type { Json } from '#lib/canonical';
import { actualCalls } from './actual-calls.js';
import { call, phase, planOf, succeededStep } from './fake-run-plan.js';
import type { StepFacts } from './run-step.js';
import type { StepAttempt } from './step-attempt.js';

const PLAN = planOf(phase(0, [{ calls: [call(1, ['a', 'b']), call(2, ['c'])], checks: ['web'] }]));
const step = (more: Partial<StepFacts> = {}) => succeededStep({ toolVersion: 1, ...more });
const attempt = (of: { readonly id: StepAttempt['stepId'] }, more: Partial<Record<keyof StepAttempt, unknown>> = {}) =>
  ({
    stepId: of.id,
    purpose: 'call',
    dispatchedAt: 1_000,
    finishedAt: 1_250,
    outcome: 'succeeded',
    result: null,
    ...more,
  }) as StepAttempt;

describe('the calls that a run made', () => {
  it('have the targets of the plan, if the tool says nothing of them', () => {
    const one = step();
    expect(actualCalls(PLAN, [one], [attempt(one)])).toEqual([
      { seq: 1, succeeded: true, affectedAssets: 2, durationMs: 250 },
    ]);
  });

  it.each<[Json, outcome: string, assets: number]>([
    [{ affected_assets: 7 }, 'succeeded', 7],
    [{ affected_assets: 0 }, 'succeeded', 0],
    [{ affected_assets: 7 }, 'failed', 7],
    [{ affected_assets: -1 }, 'succeeded', 2],
    [{ affected_assets: 1.5 }, 'succeeded', 2],
    [{ affected_assets: '7' }, 'succeeded', 2],
    [{ ok: true }, 'succeeded', 2],
    ['affected_assets', 'succeeded', 2],
    [null, 'failed', 0],
    [null, 'unknown', 0],
  ])('affected as many assets as the tool reports, or its targets: %j, %s', (result, outcome, assets) => {
    const one = step();
    const [made] = actualCalls(PLAN, [one], [attempt(one, { result, outcome })]);
    expect(made).toMatchObject({ affectedAssets: assets, succeeded: outcome === 'succeeded' });
  });

  it('are as their last attempt ended', () => {
    const one = step();
    const attempts = [
      attempt(one, { outcome: 'failed', finishedAt: 1_100 }),
      attempt(one, { dispatchedAt: 2_000, finishedAt: 2_900 }),
      attempt(one, { dispatchedAt: 3_000, finishedAt: null, outcome: null }),
      attempt(one, { purpose: 'compensation', dispatchedAt: 4_000, finishedAt: 4_001, outcome: 'failed' }),
    ];
    expect(actualCalls(PLAN, [one], attempts)).toEqual([
      { seq: 1, succeeded: true, affectedAssets: 2, durationMs: 900 },
    ]);
  });

  it('are neither health checks nor calls without an ended attempt', () => {
    const [check, unsent, inFlight] = [step({ kind: 'health_check', stepId: 'web' }), step({ seq: 2 }), step()];
    const attempts = [attempt(check), attempt(inFlight, { finishedAt: null, outcome: null })];
    expect(actualCalls(PLAN, [check, unsent, inFlight], attempts)).toEqual([]);
  });

  it('affected nothing that the plan does not name', () => {
    const stray = step({ seq: 9 });
    expect(actualCalls(PLAN, [stray], [attempt(stray)])).toMatchObject([{ affectedAssets: 0 }]);
  });
});
