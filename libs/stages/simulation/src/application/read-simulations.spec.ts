import { canonicalJson } from '#lib/canonical';
import { digestText, newId, type PlanId, type SimulationId } from '#lib/kernel';
import { FakeSimulationWorld } from './fake-simulation-world.js';

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

const PAGE = { limit: 9, after: null };
const missing = { ok: false, error: { kind: 'not_found', code: 'resource.not_found' } };

describe('reading simulations', () => {
  it('shows each with the decision that let it be asked for', async () => {
    const simulation = await world.computed();
    const read = world.simulating.getSimulation;
    expect(await read.execute(world.tenant.owner, simulation.id)).toMatchObject({
      ok: true,
      value: { simulation, decision: { id: simulation.decisionId, decision: { outcome: 'allow' } } },
    });
    expect(await read.execute(world.world.other.admin, simulation.id)).toMatchObject(missing);
    expect(await read.execute(world.tenant.admin, newId<SimulationId>())).toMatchObject(missing);
  });

  it('lists those of a plan, newest first', async () => {
    const first = await world.computed();
    await world.touch(['web-1']);
    world.uow.now += 1_000;
    const second = await world.asked({ id: first.planId });
    const list = world.simulating.listSimulations;
    expect(await list.execute(world.tenant.owner, first.planId, PAGE)).toMatchObject({
      ok: true,
      value: [{ id: second }, { id: first.id }],
    });
    expect(await list.execute(world.world.other.admin, first.planId, PAGE)).toMatchObject(missing);
    expect(await list.execute(world.tenant.admin, newId<PlanId>(), PAGE)).toMatchObject(missing);
  });
});

describe('the evidence of simulations', () => {
  it('holds every result of the plan, stale ones too, each with the digest on record', async () => {
    const first = await world.computed();
    await world.touch(['web-1']);
    world.uow.now += 1_000;
    const second = await world.execute(await world.asked({ id: first.planId }));
    world.uow.now += 1_000;
    const pending = await world.asked({ id: first.planId });
    const evidence = await world.inTx((tx) => world.simulating.simulationEvidence.collect(tx, first.planId));
    expect(evidence.map(({ kind, id, document }) => [id, digestText(kind, canonicalJson(document))])).toEqual(
      [second, first].map((simulation) => [simulation.id, 'output' in simulation && simulation.output.digest]),
    );
    expect(evidence.map(({ id }) => id)).not.toContain(pending);
  });
});
