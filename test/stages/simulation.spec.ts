import type { SimulationState } from '#lib/formats';
import type { DispatchOrder } from '#lib/dispatch';
import type { Halt } from '#lib/halt';
import { isFresh, type Simulation } from '#lib/simulation';
import { newId, type PlanId, type RunId, type SimulationId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeStages, predictingFleet, rolloutPlan, servers, type Stages } from '../support/stages.js';

let db: TestDatabase;
let stages: Stages;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  stages = await makeStages(db);
});

const planned = async (): Promise<PlanId> => stages.planned(await stages.task());
const asked = async (planId: PlanId): Promise<Simulation> => {
  const started = await stages.startSimulation.execute(stages.agent, planId);
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  return started.value.simulation;
};
const computed = async (planId: PlanId): Promise<Simulation> => {
  const { id } = await asked(planId);
  await stages.executeSimulation.execute(stages.tenantId, id);
  return read(id);
};
const read = async (id: SimulationId): Promise<Simulation> => {
  const found = await stages.inTenant((tx) => stages.simulations.find(tx, id));
  if (found === undefined) throw new Error('gone');
  return found;
};
const statusOf = async (id: PlanId): Promise<string> => {
  const found = await stages.getPlan.execute(stages.agent, id);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.status;
};
const actions = (): string[] => stages.audited.map((event) => event.action);
const touch = (targets: readonly string[]): Promise<void> =>
  stages.inTenant(async (tx) =>
    stages.freshness.outdateSimulations(tx, stages.environmentId, targets, {
      code: 'simulation.targets_touched',
      message: 'A run has begun to touch its targets.',
      principal: stages.agent,
      runId: newId<RunId>(),
      at: await tx.now(),
    }),
  );
const backdate = (id: SimulationId, by: string): Promise<unknown> =>
  db.owner.query(
    `update simulation set next_at = next_at - $2::interval, finished_at = finished_at - $2::interval, started_at = started_at - $2::interval
      where id = $1`,
    [id, by],
  );

describe('a simulation', () => {
  it('asks the tool that predicts each state change, with exactly the arguments of the plan', async () => {
    const planId = await planned();
    const simulation = await computed(planId);
    expect(simulation).toMatchObject({
      state: 'succeeded',
      output: {
        value: {
          affected_assets: 47,
          // Six batches of two minutes, and a wait of half a minute after each.
          estimated_duration_minutes: 15,
          predicted_risk: 'medium',
          health_check_points: ['error rate stays below 5 percent'],
          details: { wait_minutes: 3 },
        },
      },
    });
    if (simulation.state !== 'succeeded') throw new Error('no result');
    expect(simulation.output.value.details.calls.map((call) => call.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(stages.orders).toHaveLength(6);
    const plan = await stages.inTenant((tx) => stages.plans.find(tx, planId));
    const calls = plan?.expansion?.plan.phases.flatMap((phase) => phase.batches.flatMap((batch) => batch.calls)) ?? [];
    for (const order of stages.orders) {
      const call = calls.find(({ seq }) => String(seq) === order.step);
      expect(order).toMatchObject({
        basis: 'simulation',
        source: { type: 'simulation', id: simulation.id },
        tool: { name: 'simulate_rollout' },
        arguments: call?.invocation.arguments,
        argumentsDigest: call?.invocation.arguments_digest,
        planDigest: plan?.expansion?.digest,
      });
    }
    expect(await statusOf(planId)).toBe('simulated');
    expect(stages.audited.at(-1)).toMatchObject({
      action: 'simulation.succeeded',
      within: [{ type: 'plan', id: planId }],
      evidence: [{ kind: 'simulation', id: simulation.id, digest: simulation.output.digest }],
    });
  });

  it('is under way once a plan', async () => {
    const planId = await planned();
    const { id } = await asked(planId);
    const again = await stages.startSimulation.execute(stages.agent, planId);
    expect(again).toMatchObject({
      error: { kind: 'conflict', code: 'simulation.already_active', details: { simulation_id: id } },
    });
  });

  it('is computed once, however often a worker is told of it', async () => {
    const { id } = await asked(await planned());
    await Promise.all([1, 2, 3].map(() => stages.executeSimulation.execute(stages.tenantId, id)));
    expect(stages.orders).toHaveLength(6);
    expect((await read(id)).state).toBe('succeeded');
  });

  it('never has more than four calls under way', async () => {
    let underWay = 0;
    let most = 0;
    let openGate = (): void => undefined;
    const full = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    stages.answerTools(async (order) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 4) openGate();
      await full;
      underWay -= 1;
      return predictingFleet(order);
    });
    await computed(await planned());
    expect(most).toBe(4);
  });

  it.each([
    [
      'simulation.tool_failed',
      { kind: 'failed', effect: 'not_started', error: { code: 'fleet.no_such_server', message: 'There is none.' } },
    ],
    ['simulation.tool_failed', { kind: 'unknown', error: { code: 'dispatch.timed_out', message: 'No answer.' } }],
    ['simulation.bad_answer', { kind: 'succeeded', result: { affected_assets: -1 } }],
    ['simulation.bad_answer', { kind: 'succeeded', result: null }],
  ] as const)('fails with %s when a tool answers %j', async (code, answer) => {
    stages.answerTools(() => answer);
    const planId = await planned();
    const simulation = await computed(planId);
    expect(simulation).toMatchObject({ state: 'failed', failure: { code } });
    expect(await statusOf(planId)).toBe('validated');
    expect(actions()).toContain('simulation.failed');
    // Another may be asked for.
    stages.answerTools(predictingFleet);
    expect((await computed(planId)).state).toBe('succeeded');
  });

  it('is not asked for a plan that is not live, of somebody else, or while policy refuses', async () => {
    const planId = await planned();
    expect(await stages.startSimulation.execute(stages.otherAgent, planId)).toMatchObject({
      error: { code: 'task.not_yours' },
    });
    const halt = await stages.setHalt({ kind: 'environment', environment: 'production', reason: 'stop' });
    const refused = await stages.startSimulation.execute(stages.agent, planId);
    expect(refused).toMatchObject({
      error: {
        kind: 'forbidden',
        code: 'policy.denied',
        reasons: [{ code: expect.stringContaining('halt') as string }],
      },
    });
    expect(stages.audited.at(-1)).toMatchObject({
      action: 'simulation.refused',
      decisionId: expect.any(String) as string,
    });
    await stages.liftHalt(halt);
    await stages.withdrawPlan.execute(stages.agent, planId);
    expect(await stages.startSimulation.execute(stages.agent, planId)).toMatchObject({
      error: { code: 'simulation.plan_not_live' },
    });
  });

  it('dispatches nothing more once a halt holds', async () => {
    let halt: Promise<Halt> | undefined;
    stages.answerTools(async (order) => {
      await (halt ??= stages.setHalt({ kind: 'tenant', reason: 'stop' }));
      return predictingFleet(order);
    });
    const simulation = await computed(await planned());
    if (halt !== undefined) await stages.liftHalt(await halt);
    expect(simulation).toMatchObject({ state: 'failed', failure: { code: 'simulation.halted' } });
    expect(stages.orders.length).toBeLessThanOrEqual(4);
  });

  it('lets nothing leave for which a halt came between the call and its grant (T35)', async () => {
    const untilOf = (order: DispatchOrder | undefined) =>
      stages.inTenant(async (tx) => (await order?.mayLeaveUntil?.(tx)) ?? null);
    let before: Promise<number | null> | undefined;
    let halt: Promise<Halt> | undefined;
    const after: (number | null)[] = [];
    stages.answerTools(async (order) => {
      await (before ??= untilOf(order));
      await (halt ??= stages.setHalt({ kind: 'tenant', reason: 'stop' }));
      after.push(await untilOf(order));
      return predictingFleet(order);
    });
    await computed(await planned());
    expect(await before).toEqual(expect.any(Number));
    expect(new Set(after)).toEqual(new Set([null]));
    // The attempt is over: its worker sends no further call, halted or not.
    if (halt !== undefined) await stages.liftHalt(await halt);
    expect(await untilOf(stages.orders[0])).toBeNull();
  });

  it('of a plan that was superseded meanwhile fails', async () => {
    const task = await stages.task();
    const planId = await stages.planned(task);
    const { id } = await asked(planId);
    await stages.planned(task, rolloutPlan('web-2026-12'));
    await stages.executeSimulation.execute(stages.tenantId, id);
    expect(await read(id)).toMatchObject({ state: 'failed', failure: { code: 'simulation.plan_not_live' } });
  });

  it('is taken up again after its worker died, and a late result of the dead one is not written', async () => {
    const { id } = await asked(await planned());
    const overtake = async (): Promise<void> => {
      await db.owner.query("update simulation set next_at = clock_timestamp() - interval '1 second' where id = $1", [
        id,
      ]);
      await stages.executeSimulation.execute(stages.tenantId, id);
    };
    // Each of four calls renews the lease before it leaves: the attempt is overtaken when none of them can any more.
    let leaving = 0;
    let allLeft = (): void => undefined;
    const overtaken = new Promise<void>((resolve) => {
      allLeft = resolve;
    }).then(overtake);
    stages.answerTools(async (order) => {
      leaving += 1;
      if (leaving === 4) allLeft();
      if (leaving <= 4) await overtaken;
      return predictingFleet(order);
    });
    await stages.executeSimulation.execute(stages.tenantId, id);
    expect(await read(id)).toMatchObject({ state: 'succeeded', fence: 2 });
    expect(actions().filter((action) => action === 'simulation.succeeded')).toHaveLength(1);
  });

  it('is due while there is something to do', async () => {
    const { id } = await asked(await planned());
    const due = (): Promise<readonly string[]> =>
      db.systemQuery
        .call('simulation_execute_due', new Date(), 1_000, [], [])
        .then((rows) => rows.filter((row) => row.tenantId === stages.tenantId).map((row) => row.id));
    expect(await due()).toEqual([id]);
    await stages.executeSimulation.execute(stages.tenantId, id);
    expect(await due()).toEqual([]);
  });
});

describe('T36: a result', () => {
  it('is stale once a run has touched one of its targets, in this environment', async () => {
    const planId = await planned();
    const simulation = await computed(planId);
    await touch(['db-01']);
    expect((await read(simulation.id)).state).toBe('succeeded');
    await touch(['web-07', 'db-01']);
    expect(await read(simulation.id)).toMatchObject({
      state: 'stale',
      staleReason: { code: 'simulation.targets_touched', details: { run_id: expect.any(String) as string } },
    });
    expect(stages.audited.at(-1)).toMatchObject({ action: 'simulation.outdated', subject: { id: simulation.id } });
    expect(await statusOf(planId)).toBe('validated');
  });

  it('is stale once a run has touched the environment as a whole', async () => {
    const simulation = await computed(await planned());
    await touch(['environment:production']);
    expect((await read(simulation.id)).state).toBe('stale');
  });

  it('that is being computed while a run touches its targets is computed again', async () => {
    const { id } = await asked(await planned());
    let touched = false;
    stages.answerTools(async (order) => {
      if (!touched) {
        touched = true;
        await touch(servers(1));
      }
      return predictingFleet(order);
    });
    await stages.executeSimulation.execute(stages.tenantId, id);
    expect((await read(id)).state).toBe('running');
    await stages.executeSimulation.execute(stages.tenantId, id);
    expect((await read(id)).state).toBe('succeeded');
  });

  it('grows old by the clock: the plan shows it at once, the sweeper records it', async () => {
    const planId = await planned();
    const { id } = await computed(planId);
    await backdate(id, '25 hours');
    expect(await statusOf(planId)).toBe('validated');
    await stages.executeSimulation.execute(stages.tenantId, id);
    expect(await read(id)).toMatchObject({ state: 'stale', staleReason: { code: 'simulation.too_old' } });
  });

  it('counts up to the minute', async () => {
    const simulation = await computed(await planned());
    if (simulation.state !== 'succeeded') throw new Error('no result');
    expect(isFresh(simulation, simulation.finishedAt + 60_000, 1)).toBe(true);
    expect(isFresh(simulation, simulation.finishedAt + 60_001, 1)).toBe(false);
  });

  it('counts for its plan before a later one that failed', async () => {
    const planId = await planned();
    const good = await computed(planId);
    stages.answerTools(() => ({ kind: 'unknown', error: { code: 'dispatch.timed_out', message: 'No answer.' } }));
    const bad = await computed(planId);
    const states: SimulationState[] = [good.state, bad.state];
    expect(states).toEqual(['succeeded', 'failed']);
    const [counting, listed] = await stages.inTenant((tx) =>
      Promise.all([
        stages.simulations.counting(tx, planId),
        stages.simulations.list(tx, planId, { limit: 10, after: null }),
      ]),
    );
    expect(counting?.id).toBe(good.id);
    expect(listed.map((simulation) => simulation.id)).toEqual([bad.id, good.id]);
  });
});
