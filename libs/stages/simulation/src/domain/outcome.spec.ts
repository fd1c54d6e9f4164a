import { newId, type SimulationId } from '#lib/kernel';
import type { SimulationDetails } from '#lib/formats';
import { aggregateResults } from './aggregate-results.js';
import { type ActualCall, compareOutcome } from './outcome.js';

type Call = SimulationDetails['calls'][number];

const id = newId<SimulationId>();
const call = (seq: number, members: Partial<Call> = {}): Call => ({
  seq,
  step_id: 'roll',
  tool: 'rollout',
  tool_version: 1,
  targets: [`web-${String(seq)}`],
  simulation: 'done',
  simulated_by: null,
  affected_assets: 2,
  estimated_duration_minutes: 3,
  predicted_risk: 'medium',
  details: null,
  ...members,
});
const made = (seq: number, members: Partial<ActualCall> = {}): ActualCall => ({
  seq,
  succeeded: true,
  affectedAssets: 1,
  durationMs: 90_000,
  ...members,
});
const compared = (predicted: readonly Call[], actual: readonly ActualCall[]) =>
  compareOutcome(id, aggregateResults([...predicted], [], 0), actual);

describe('the comparison of a prediction with its run', () => {
  it('adds the calls of each tool up', () => {
    const predicted = [call(1), call(2, { predicted_risk: 'high' }), call(3, { tool: 'drain' })];
    expect(compared(predicted, [made(1), made(2, { succeeded: false, affectedAssets: 0 }), made(3)])).toEqual([
      {
        simulationId: id,
        tool: 'rollout',
        predicted: { calls: 2, affected_assets: 4, duration_minutes: 6, risk: 'high' },
        actual: { calls: 2, failed: 1, affected_assets: 1, duration_minutes: 3 },
      },
      {
        simulationId: id,
        tool: 'drain',
        predicted: { calls: 1, affected_assets: 2, duration_minutes: 3, risk: 'medium' },
        actual: { calls: 1, failed: 0, affected_assets: 1, duration_minutes: 1.5 },
      },
    ]);
  });

  it('leaves out a call that was not made, or not predicted', () => {
    const unpredicted = call(3, { affected_assets: null, estimated_duration_minutes: null });
    expect(compared([call(1), call(2), unpredicted], [made(2), made(3), made(9)])).toMatchObject([
      { predicted: { calls: 1 }, actual: { calls: 1 } },
    ]);
    expect(compared([call(1)], [])).toEqual([]);
  });

  it('counts a prediction without a duration as no time', () => {
    const predicted = [call(1, { estimated_duration_minutes: null })];
    expect(compared(predicted, [made(1)])).toMatchObject([{ predicted: { duration_minutes: 0 } }]);
  });
});
