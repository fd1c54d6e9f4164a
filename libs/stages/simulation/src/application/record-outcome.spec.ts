import { newId, type RunId, type SimulationId } from '#lib/kernel';
import { FakeSimulationWorld } from './fake-simulation-world.js';

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

/** Ends a run of three calls, the last of which failed. */
const recorded = async (simulationId: SimulationId) => {
  const runId = newId<RunId>();
  const calls = [1, 2, 3].map((seq) => ({ seq, succeeded: seq < 3, affectedAssets: 1, durationMs: 60_000 }));
  await world.inTx((tx) => world.simulating.recordOutcome.recordOutcome(tx, { runId, simulationId, calls }));
  return world.outcomes.of(world.tenant, runId);
};

describe('the end of a run', () => {
  it('keeps the prediction of each tool beside its result, also if the prediction is stale by then', async () => {
    const { id } = await world.computed(['web-1', 'web-2', 'web-3']);
    const outcome = {
      simulationId: id,
      tool: 'rollout',
      predicted: { calls: 3, affected_assets: 3, duration_minutes: 6, risk: 'medium' },
      actual: { calls: 3, failed: 1, affected_assets: 3, duration_minutes: 3 },
    };
    expect(await recorded(id)).toEqual([outcome]);
    await world.touch(['web-1']);
    expect(await world.simulation(id)).toMatchObject({ state: 'stale' });
    expect(await recorded(id)).toEqual([outcome]);
    const accuracy = world.simulating.readAccuracy;
    expect(await accuracy.execute(world.tenant.agent)).toMatchObject([{ tool: 'rollout', runs: 2, exactRuns: 2 }]);
    expect(await accuracy.execute(world.world.other.agent)).toEqual([]);
  });

  it('keeps nothing if the simulation came to no result, or is not there', async () => {
    expect(await recorded(await world.asked(await world.planned()))).toEqual([]);
    expect(await recorded(newId<SimulationId>())).toEqual([]);
  });
});
