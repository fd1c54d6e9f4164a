import fc from 'fast-check';
import type { SimulationDetails } from '#lib/formats';
import type { SimulationId } from '#lib/kernel';
import { aggregateResults, higher } from './aggregate-results.js';
import { compareOutcome } from './outcome.js';

type Call = SimulationDetails['calls'][number];
const call = (seq: number, more: Partial<Call> = {}): Call => ({
  seq,
  step_id: `s${String(seq)}`,
  tool: 'rollout',
  tool_version: 1,
  targets: ['h1'],
  simulation: 'done',
  simulated_by: { name: 'simulate_rollout', version: 1, digest: 'sha256:0' },
  affected_assets: 1,
  estimated_duration_minutes: 1,
  predicted_risk: 'low',
  details: null,
  ...more,
});

describe('predictions of calls', () => {
  it('about the same targets are about the same assets', () => {
    const calls = [
      call(1, { affected_assets: 3 }),
      call(2, { affected_assets: 5 }),
      call(3, { targets: ['h2'], affected_assets: 2 }),
    ];
    expect(aggregateResults(calls, [], 0).affected_assets).toBe(7);
  });

  it('take the time of all, and the waits', () => {
    const calls = [call(1, { estimated_duration_minutes: 0.1 }), call(2, { estimated_duration_minutes: 0.2 })];
    expect(aggregateResults(calls, [], 90)).toMatchObject({
      estimated_duration_minutes: 1.8,
      details: { wait_minutes: 1.5 },
    });
  });

  it('that nothing can make count for their targets, and bring the risk of their tool', () => {
    const unknown = call(1, {
      targets: ['h1', 'h2'],
      simulation: 'not_applicable',
      simulated_by: null,
      affected_assets: null,
      estimated_duration_minutes: null,
      predicted_risk: 'critical',
    });
    expect(aggregateResults([unknown, call(2)], [], 0)).toMatchObject({
      affected_assets: 3,
      estimated_duration_minutes: 1,
      predicted_risk: 'critical',
      details: { calls: [{ simulation: 'not_applicable' }, { simulation: 'done' }] },
    });
  });

  it('name each health check point once', () => {
    expect(aggregateResults([], ['a', 'b', 'a'], 0)).toMatchObject({
      affected_assets: 0,
      predicted_risk: 'low',
      health_check_points: ['a', 'b'],
    });
  });

  it('never come to less than any of them says', () => {
    const risk = fc.constantFrom('low' as const, 'medium' as const, 'high' as const, 'critical' as const);
    const some = fc.array(
      fc.record({
        affected_assets: fc.nat(100),
        estimated_duration_minutes: fc.integer({ min: 0, max: 600 }),
        predicted_risk: risk,
        targets: fc.uniqueArray(fc.constantFrom('h1', 'h2', 'h3'), { minLength: 1 }),
      }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(some, (predictions) => {
        const whole = aggregateResults(
          predictions.map((prediction, index) => call(index + 1, prediction)),
          [],
          0,
        );
        const more = predictions.filter(
          (one) =>
            one.affected_assets > whole.affected_assets ||
            one.estimated_duration_minutes > whole.estimated_duration_minutes ||
            higher(whole.predicted_risk, one.predicted_risk) !== whole.predicted_risk,
        );
        expect(more).toEqual([]);
      }),
    );
  });
});

describe('predicted beside actual', () => {
  const predicted = aggregateResults(
    [
      call(1, { affected_assets: 5 }),
      call(2, { affected_assets: 9, predicted_risk: 'high' }),
      call(3, { tool: 'restart' }),
    ],
    [],
    0,
  );

  it('counts only calls that were both predicted and made', () => {
    const outcomes = compareOutcome('sim' as SimulationId, predicted, [
      { seq: 1, succeeded: true, affectedAssets: 5, durationMs: 60_000 },
      { seq: 2, succeeded: false, affectedAssets: 0, durationMs: 30_000 },
      { seq: 9, succeeded: true, affectedAssets: 7, durationMs: 1 },
    ]);
    expect(outcomes).toEqual([
      {
        simulationId: 'sim',
        tool: 'rollout',
        predicted: { calls: 2, affected_assets: 14, duration_minutes: 2, risk: 'high' },
        actual: { calls: 2, failed: 1, affected_assets: 5, duration_minutes: 1.5 },
      },
    ]);
  });
});
