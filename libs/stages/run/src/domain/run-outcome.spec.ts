import { call, phase, planOf, succeededStep } from './fake-run-plan.js';
import { runOutcome } from './run-outcome.js';
import type { StepFacts } from './run-step.js';
import type { RunStep } from './run-step.js';
import type { Run } from './run.js';

const PLAN = planOf(phase(0, [{ calls: [call(1, ['a', 'b']), call(2, ['b', 'c']), call(3, ['d']), call(4, ['e'])] }]));
const run = (startedAt: number | null): Run => ({ startedAt }) as Run;
const ERROR = { code: 'tool.refused', message: 'The host refused.' };

const stepAt = (seq: number, state: RunStep['state'], more: Partial<StepFacts> = {}): RunStep =>
  ({ ...succeededStep({ seq, stepId: `step ${String(seq)}`, ...more }), state, error: ERROR }) as RunStep;
const outcomeOf = (
  steps: readonly RunStep[],
  state: 'completed' | 'failed' | 'rolled_back' | 'rollback_failed' | 'cancelled' = 'completed',
  halfway: readonly RunStep[] = [],
) => runOutcome(run(0), PLAN, steps, { state, at: 90_000, failedHalfway: new Set(halfway.map(({ id }) => id)) });

describe('the outcome of a run', () => {
  it.each([
    [90_000, 0, 1.5],
    [100, 0, 0],
    [400, 0, 0.01],
    [90_000, 60_000, 0.5],
    [90_000, null, 0],
  ])('lasts from its start to its end, in minutes: until %i from %j', (at, startedAt, minutes) => {
    const end = { state: 'completed', at, failedHalfway: new Set<string>() } as const;
    expect(runOutcome(run(startedAt), PLAN, [], end).duration_minutes).toBe(minutes);
  });

  it('counts calls by their state, and no health check', () => {
    const steps = [
      stepAt(1, 'succeeded'),
      stepAt(2, 'failed'),
      stepAt(3, 'compensated'),
      stepAt(4, 'pending', { attempts: 0 }),
      stepAt(4, 'pending', { attempts: 0 }),
      stepAt(1, 'succeeded', { kind: 'health_check' }),
    ];
    expect(outcomeOf(steps).calls).toEqual({ succeeded: 1, failed: 1, compensated: 1, not_started: 2 });
  });

  it('affected the targets of each call that was sent and may have changed something, each once', () => {
    expect(outcomeOf([stepAt(1, 'succeeded'), stepAt(2, 'unknown')]).affected_assets).toBe(3);
    const failed = stepAt(3, 'failed');
    expect(outcomeOf([failed]).affected_assets).toBe(0);
    expect(outcomeOf([failed], 'failed', [failed]).affected_assets).toBe(1);
    const none = [stepAt(1, 'pending', { attempts: 0 }), stepAt(2, 'succeeded', { changes: false })];
    expect(outcomeOf(none).affected_assets).toBe(0);
    expect(outcomeOf([stepAt(9, 'succeeded')]).affected_assets).toBe(0);
  });

  it.each<[end: 'failed' | 'rolled_back' | 'rollback_failed' | 'cancelled', RunStep['state'], string | null]>([
    ['failed', 'succeeded', 'not_rolled_back'],
    ['cancelled', 'succeeded', 'not_rolled_back'],
    ['rolled_back', 'succeeded', 'no_compensation'],
    ['rollback_failed', 'succeeded', 'no_compensation'],
    ['rollback_failed', 'compensation_failed', 'compensation_failed'],
    ['rolled_back', 'compensated', null],
    ['failed', 'failed', null],
    ['failed', 'pending', null],
  ])('says what stands although the run %s: a step that is %s', (end, state, why) => {
    const tool = { step_id: 'step 1', seq: 1, tool: 'deploy@2' };
    expect(outcomeOf([stepAt(1, state)], end).not_undone).toEqual(why === null ? [] : [{ ...tool, why }]);
    expect(outcomeOf([stepAt(1, state, { changes: false })], end).not_undone).toEqual([]);
    expect(outcomeOf([stepAt(1, state, { kind: 'health_check' })], end).not_undone).toEqual([]);
  });

  it('says that a failed call stands halfway if it may have changed something', () => {
    const failed = stepAt(1, 'failed');
    expect(outcomeOf([failed], 'failed', [failed]).not_undone).toMatchObject([{ why: 'failed_halfway' }]);
  });

  it('leaves nothing to undo if the run completed', () => {
    expect(outcomeOf([stepAt(1, 'succeeded'), stepAt(2, 'compensation_failed')]).not_undone).toEqual([]);
  });
});
