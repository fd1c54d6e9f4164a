import { actorOf, newId, type RunId } from '#lib/kernel';
import { FakeSimulationWorld } from './fake-simulation-world.js';

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

const REASON = { code: 'simulation.targets_touched', message: 'A run has begun to touch its targets.' };

describe('T36: a run that begins to touch targets', () => {
  it('outdates every result about them, with an audit entry each', async () => {
    const [one, other] = [await world.computed(['web-1', 'web-2']), await world.computed(['web-2', 'web-3'])];
    const elsewhere = await world.computed(['web-8', 'web-9']);
    const before = world.audited.length;
    const runId = newId<RunId>();
    const principal = world.tenant.owner;
    await world.inTx((tx) =>
      world.simulating.freshness.outdateSimulations(tx, world.tenant.production.id, ['web-2', 'db-1'], {
        ...REASON,
        principal,
        runId,
        at: world.uow.now,
      }),
    );
    for (const { id } of [one, other])
      expect(await world.simulation(id)).toMatchObject({
        state: 'stale',
        staleReason: { ...REASON, details: { run_id: runId } },
        nextAt: null,
      });
    expect(await world.simulation(elsewhere.id)).toEqual(elsewhere);
    expect(world.audited.slice(before)).toEqual(
      [one, other].map(({ id, planId }) => ({
        action: 'simulation.outdated',
        actor: actorOf(principal),
        level: 'detailed',
        subject: { type: 'simulation', id },
        within: [{ type: 'plan', id: planId }],
        payload: { ...REASON, run_id: runId },
      })),
    );
  });

  it('touches all of an environment by its target for the whole', async () => {
    const { id } = await world.computed();
    await world.touch(['environment:production']);
    expect(await world.simulation(id)).toMatchObject({ state: 'stale' });
  });

  it('leaves no entry for a simulation that has no result yet', async () => {
    const id = await world.asked(await world.plannedFor(['web-1', 'web-2']));
    const before = world.audited.length;
    await world.touch(['web-1']);
    expect(await world.simulation(id)).toMatchObject({ state: 'pending' });
    expect(world.audited).toHaveLength(before);
  });
});
