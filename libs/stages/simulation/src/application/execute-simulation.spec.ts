import { planSimulationResultSchema } from '#lib/formats';
import { callsOf } from '#lib/plan';
import { digestText, newId, type SimulationId, type TenantId } from '#lib/kernel';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { MAX_ATTEMPTS } from '../domain/begin-simulation.js';
import { FakeSimulationWorld, predicted, SERVERS } from './fake-simulation-world.js';

const MINUTE = 60_000;

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

const lastEntry = () => world.audited.at(-1);

describe('a simulation', () => {
  it('asks the tool that predicts each state change, with exactly the arguments of the plan', async () => {
    const plan = await world.plannedFor(SERVERS);
    const id = await world.asked(plan);
    await world.execute(id);
    const calls = plan.expansion === null ? [] : callsOf(plan.expansion.plan);
    expect(calls).toHaveLength(6);
    const sent = world.dispatcher.orders.toSorted((a, b) => Number(a.step) - Number(b.step));
    expect(sent).toMatchObject(
      calls.map(({ seq, invocation }) => ({
        tenantId: world.tenant.tenantId,
        environment: 'production',
        basis: 'simulation',
        source: { type: 'simulation', id },
        step: String(seq),
        attempt: 1,
        tool: { name: 'look', version: 1 },
        executor: { name: 'fleet', kind: 'http', audience: 'fleet.production' },
        arguments: invocation.arguments,
        argumentsDigest: invocation.arguments_digest,
        planDigest: plan.expansion?.digest,
        withSecrets: false,
        idempotencyKey: `${id}:${String(seq)}:1`,
      })),
    );
  });

  it('gives its tool secrets only if the tool that changes state says so', async () => {
    const { name: _name, ...document } = world.rollout.definition;
    await world.register(sampleTool('rollout', { ...document, simulation_secrets: true }, 2));
    await world.computed();
    expect(new Set(world.dispatcher.orders.map(({ withSecrets }) => withSecrets))).toEqual(new Set([true]));
  });

  it('adds the predictions up in the order of the plan, and keeps the sum with its digest', async () => {
    world.dispatcher.answer = (order) => predicted(order, order.step === '2' ? { predicted_risk: 'high' } : {});
    const simulation = await world.computed();
    if (simulation.state !== 'succeeded') throw new Error(simulation.state);
    const { value, text, digest } = simulation.output;
    expect(value).toMatchObject({
      affected_assets: 6,
      estimated_duration_minutes: 12,
      predicted_risk: 'high',
      health_check_points: ['error rate stays below 5 percent'],
    });
    expect(value.details.calls.map(({ seq, simulation: how }) => [seq, how])).toEqual(
      [1, 2, 3, 4, 5, 6].map((seq) => [seq, 'done']),
    );
    expect(planSimulationResultSchema.parse(JSON.parse(text))).toEqual(value);
    expect(digest).toBe(digestText('simulation', text));
    expect(simulation).toMatchObject({ fence: 1, startedAt: world.uow.now, finishedAt: world.uow.now });
  });

  it('is audited with the digests of its plan and its result', async () => {
    const simulation = await world.computed();
    if (simulation.state !== 'succeeded') throw new Error(simulation.state);
    const { digest } = simulation.output;
    expect(lastEntry()).toMatchObject({
      action: 'simulation.succeeded',
      actor: { kind: 'system', id: 'simulation-executor' },
      level: 'full',
      subject: { type: 'simulation', id: simulation.id },
      within: [{ type: 'plan', id: simulation.planId }],
      evidence: [{ kind: 'simulation', id: simulation.id, digest }],
      payload: {
        plan_digest: simulation.planDigest,
        simulation_digest: digest,
        affected_assets: 6,
        estimated_duration_minutes: 12,
        predicted_risk: 'medium',
      },
    });
  });

  it('is computed once, however often a worker is told of it', async () => {
    const id = await world.asked(await world.plannedFor(SERVERS));
    await Promise.all([1, 2, 3].map(() => world.simulating.executeSimulation.execute(world.tenant.tenantId, id)));
    expect(world.dispatcher.orders).toHaveLength(6);
    expect(world.audited.filter(({ action }) => action === 'simulation.succeeded')).toHaveLength(1);
  });

  it('is computed by the worker of its own tenant alone', async () => {
    const id = await world.asked(await world.planned());
    await world.simulating.executeSimulation.execute(world.world.other.tenantId, id);
    await world.simulating.executeSimulation.execute(newId<TenantId>(), newId<SimulationId>());
    expect(await world.simulation(id)).toMatchObject({ state: 'pending', fence: 0 });
    expect(world.dispatcher.orders).toEqual([]);
  });

  it('never has more than four calls under way', async () => {
    let underWay = 0;
    let most = 0;
    let openGate = (): void => undefined;
    const full = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    world.dispatcher.answer = async (order) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 4) openGate();
      await full;
      underWay -= 1;
      return predicted(order);
    };
    await world.computed();
    expect(most).toBe(4);
  });
});

describe('a simulation fails', () => {
  it.each<[string, string, FakeSimulationWorld['dispatcher']['answer']]>([
    [
      'its tool fails',
      'simulation.tool_failed',
      () => ({ kind: 'failed', effect: 'not_started', error: { code: 'fleet.no_such_server', message: 'None.' } }),
    ],
    [
      'its tool does not answer',
      'simulation.tool_failed',
      () => ({ kind: 'unknown', error: { code: 'dispatch.timed_out', message: 'No answer.' } }),
    ],
    ['the answer is no prediction', 'simulation.bad_answer', (order) => predicted(order, { affected_assets: -1 })],
    ['the answer is empty', 'simulation.bad_answer', () => ({ kind: 'succeeded', result: null })],
    [
      'the answers are too large to keep',
      'simulation.result_too_large',
      (order) => predicted(order, { details: { log: 'x'.repeat(200_000) } }),
    ],
  ])('if %s: %s', async (_why, code, answer) => {
    world.dispatcher.answer = answer;
    const simulation = await world.computed();
    expect(simulation).toMatchObject({ state: 'failed', failure: { code }, finishedAt: world.uow.now, nextAt: null });
    expect(lastEntry()).toMatchObject({
      action: 'simulation.failed',
      level: 'full',
      subject: { id: simulation.id },
      payload: { plan_digest: simulation.planDigest, code },
    });
  });

  it('if its call is offered to an agent, which answers later', async () => {
    jest.spyOn(world.dispatcher, 'dispatch').mockResolvedValue({ kind: 'offered' } as never);
    expect(await world.computed()).toMatchObject({ state: 'failed', failure: { code: 'simulation.no_executor' } });
  });

  it('if its plan was superseded meanwhile, and calls no tool', async () => {
    const plan = await world.planned();
    const id = await world.asked(plan);
    await world.planned(plan.taskId);
    expect(await world.execute(id)).toMatchObject({ state: 'failed', failure: { code: 'simulation.plan_not_live' } });
    expect(world.dispatcher.orders).toEqual([]);
  });

  it('if one of its tools cannot be called any more, and calls no tool', async () => {
    const id = await world.asked(await world.planned());
    await world.inTx((tx) => world.tools.remove(tx, 'look'));
    expect(await world.execute(id)).toMatchObject({ state: 'failed', failure: { code: 'simulation.tool_missing' } });
    expect(world.dispatcher.orders).toEqual([]);
  });

  it('if it takes longer than ten minutes', async () => {
    world.dispatcher.answer = (order) => {
      world.uow.now += 11 * MINUTE;
      return predicted(order);
    };
    expect(await world.computed()).toMatchObject({ state: 'failed', failure: { code: 'simulation.timed_out' } });
    expect(world.dispatcher.orders.length).toBeLessThan(6);
  });

  it('after twenty attempts, and calls no tool', async () => {
    const id = await world.asked(await world.planned());
    const pending = await world.simulation(id);
    if (pending.state !== 'pending') throw new Error(pending.state);
    const running = { ...pending, state: 'running', startedAt: world.uow.now, fence: MAX_ATTEMPTS } as const;
    await world.inTx((tx) => world.simulations.save(tx, running));
    expect(await world.execute(id)).toMatchObject({
      state: 'failed',
      failure: { code: 'simulation.attempts_exhausted' },
    });
    expect(world.dispatcher.orders).toEqual([]);
  });
});
