import type { DispatchOrder } from '#lib/dispatch';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakeSimulationWorld, predicted, SERVERS } from './fake-simulation-world.js';

const MINUTE = 60_000;
/** How much longer than a tool's time limit its answer is waited for. */
const MARGIN_MS = 30_000;

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

describe('a halt', () => {
  it('keeps a simulation from its first call', async () => {
    const id = await world.asked(await world.planned());
    await world.halt({ kind: 'tool', tool: 'look' });
    expect(await world.execute(id)).toMatchObject({ state: 'failed', failure: { code: 'simulation.halted' } });
    expect(world.dispatcher.orders).toEqual([]);
  });

  it('keeps a simulation that needs no calls from a result', async () => {
    const { name: _name, ...document } = world.rollout.definition;
    await world.register(
      sampleTool('rollout', { ...document, idempotent: true, simulated_by: null, simulation: 'not_applicable' }, 2),
    );
    const id = await world.asked(await world.planned());
    await world.halt();
    expect(await world.execute(id)).toMatchObject({ state: 'failed', failure: { code: 'simulation.halted' } });
  });

  it('lets no further call of a simulation leave', async () => {
    let halt: Promise<void> | undefined;
    world.dispatcher.answer = async (order) => {
      await (halt ??= world.halt());
      return predicted(order);
    };
    expect(await world.computed()).toMatchObject({ state: 'failed', failure: { code: 'simulation.halted' } });
    expect(world.dispatcher.orders.length).toBeLessThanOrEqual(4);
  });

  it('between a call and its grant lets nothing leave (T35)', async () => {
    const untilOf = (order: DispatchOrder | undefined) =>
      world.inTx(async (tx) => (await order?.mayLeaveUntil?.(tx)) ?? null);
    const after: (number | null)[] = [];
    let before: Promise<number | null> | undefined;
    let halt: Promise<void> | undefined;
    world.dispatcher.answer = async (order) => {
      await (before ??= untilOf(order));
      await (halt ??= world.halt());
      after.push(await untilOf(order));
      return predicted(order);
    };
    const began = world.uow.now;
    await world.computed();
    expect(await before).toBe(began + 10 * MINUTE);
    expect(new Set(after)).toEqual(new Set([null]));
  });

  it('or the end of an attempt lets no call of it leave later', async () => {
    await world.computed();
    const [order] = world.dispatcher.orders;
    expect(await world.inTx(async (tx) => order?.mayLeaveUntil?.(tx))).toBeNull();
  });
});

describe('an attempt', () => {
  it('holds the simulation under a lease, which each call renews for its time limit', async () => {
    const leases: (number | null)[] = [];
    await world.register(sampleTool('look', { time_limit_seconds: 120 }, 2));
    const id = await world.asked(await world.planned());
    world.dispatcher.answer = async (order) => {
      leases.push((await world.simulation(id)).nextAt);
      return predicted(order);
    };
    await world.execute(id);
    expect(new Set(leases)).toEqual(new Set([world.uow.now + 2 * MINUTE + MARGIN_MS]));
  });

  it.each([
    ['further call', SERVERS, 4],
    ['late result', SERVERS.slice(0, 3), 3],
  ])('that died is followed by another, and its worker brings no %s', async (_what, servers, sent) => {
    const id = await world.asked(await world.plannedFor(servers));
    const { time_limit_seconds: limit } = world.look.definition;
    // Each call renews the lease before it leaves: the attempt is overtaken once as many as can be have left.
    let leaving = 0;
    let allLeft = (): void => undefined;
    const overtaken = new Promise<void>((resolve) => {
      allLeft = resolve;
    }).then(() => {
      world.uow.now += limit * 1_000 + MARGIN_MS;
      return world.simulating.executeSimulation.execute(world.tenant.tenantId, id);
    });
    world.dispatcher.answer = async (order) => {
      if (order.attempt > 1) return predicted(order);
      leaving += 1;
      if (leaving === sent) allLeft();
      await overtaken;
      return predicted(order, { affected_assets: 99 });
    };
    await world.execute(id);
    expect(leaving).toBe(sent);
    expect(await world.simulation(id)).toMatchObject({
      state: 'succeeded',
      fence: 2,
      output: { value: { affected_assets: servers.length } },
    });
    expect(world.audited.filter(({ action }) => action === 'simulation.succeeded')).toHaveLength(1);
  });

  it('that meets an error awaits its calls under way, and gives its lease back', async () => {
    const id = await world.asked(await world.plannedFor(SERVERS));
    const lease = world.uow.now + world.look.definition.time_limit_seconds * 1_000 + MARGIN_MS;
    const leases: (number | null)[] = [];
    let goOn = (): void => undefined;
    const refused = new Promise<void>((resolve) => (goOn = resolve));
    const dispatch = jest.spyOn(world.dispatcher, 'dispatch').mockImplementation(async (order) => {
      // As a refused grant does.
      if (dispatch.mock.calls.length === 4) {
        goOn();
        throw new Error('the tenant is moving');
      }
      await refused;
      leases.push((await world.simulation(id)).nextAt);
      return predicted(order);
    });
    await expect(world.execute(id)).rejects.toThrow('the tenant is moving');
    expect(leases).toEqual([lease, lease, lease]);
    const again = world.uow.now + 1_000;
    expect(await world.simulation(id)).toMatchObject({ state: 'running', fence: 1, nextAt: again });
    dispatch.mockRestore();
    world.uow.now = again;
    expect(await world.execute(id)).toMatchObject({ state: 'succeeded', fence: 2 });
  });

  it('starts over if a run touches its targets meanwhile (T36)', async () => {
    const id = await world.asked(await world.plannedFor(SERVERS));
    let touched: Promise<void> | undefined;
    world.dispatcher.answer = async (order) => {
      await (touched ??= world.touch(['web-1']));
      return predicted(order);
    };
    expect(await world.execute(id)).toMatchObject({ state: 'running', fence: 2, nextAt: world.uow.now });
    expect(await world.execute(id)).toMatchObject({ state: 'succeeded', fence: 3 });
  });
});
