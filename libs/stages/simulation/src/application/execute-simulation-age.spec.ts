import type { AutonomyDocument } from '#lib/formats';
import { FakeSimulationWorld } from './fake-simulation-world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

describe('the age of a result', () => {
  const document = (minutes: object, production: object = {}): AutonomyDocument => ({
    autonomy: { mode: 'full_auto', ...minutes, environments: { production: { mode: 'full_auto', ...production } } },
  });
  const put = (wanted: AutonomyDocument) => world.inTx((tx) => world.putAutonomy(tx, wanted));

  it('is looked at when the document in force says that it is over', async () => {
    expect(await world.computed()).toMatchObject({ nextAt: world.uow.now + DAY });
    await put(document({ simulation_valid_minutes: 30 }));
    expect(await world.computed()).toMatchObject({ nextAt: world.uow.now + 30 * MINUTE });
    await put(document({ simulation_valid_minutes: 30 }, { simulation_valid_minutes: 5 }));
    expect(await world.computed()).toMatchObject({ nextAt: world.uow.now + 5 * MINUTE });
  });

  it('ends it then, with an audit entry, and not before', async () => {
    const { id } = await world.computed();
    world.uow.now += DAY - 1;
    expect(await world.execute(id)).toMatchObject({ state: 'succeeded' });
    world.uow.now += 1;
    const stale = await world.execute(id);
    expect(stale).toMatchObject({
      state: 'stale',
      staleReason: { code: 'simulation.too_old', message: 'The result is older than 1 day.' },
      nextAt: null,
    });
    expect(world.audited.at(-1)).toMatchObject({
      action: 'simulation.outdated',
      level: 'detailed',
      subject: { id },
      payload: { plan_digest: stale.planDigest, code: 'simulation.too_old' },
    });
  });

  it('is looked at again later if the document allows more by then', async () => {
    const { id } = await world.computed();
    const finishedAt = world.uow.now;
    await put(document({ simulation_valid_minutes: 2 * 24 * 60 }));
    world.uow.now += DAY;
    const entries = world.audited.length;
    expect(await world.execute(id)).toMatchObject({ state: 'succeeded', nextAt: finishedAt + 2 * DAY });
    expect(world.audited).toHaveLength(entries);
  });
});
