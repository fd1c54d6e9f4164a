import type { TaskState } from '#lib/formats';
import { actorOf, newId, type PlanId, type Principal } from '#lib/kernel';
import { sampleAgent, type SampleEnvironment, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakeSimulationWorld } from './fake-simulation-world.js';

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

const start = (id: PlanId, by: Principal = world.tenant.agent) => world.simulating.startSimulation.execute(by, id);
const environmentHalt = ({ id, name }: SampleEnvironment) =>
  ({ kind: 'environment', environmentId: id, environment: name }) as const;
const keptOf = (id: PlanId) => world.inTx((tx) => world.simulations.list(tx, id, { limit: 9, after: null }));

describe('asking for a simulation', () => {
  it('keeps a pending one with its decision, and enqueues the job that computes it', async () => {
    const plan = await world.planned();
    world.uow.now += 5_000;
    const started = await start(plan.id);
    if (!started.ok) throw new Error(started.error.code);
    const { simulation, decision, autonomyRevisionId } = started.value;
    expect(simulation).toEqual({
      id: simulation.id,
      planId: plan.id,
      planDigest: plan.expansion?.digest,
      decisionId: decision.id,
      submitter: plan.submitter,
      fence: 0,
      nextAt: world.uow.now,
      createdAt: world.uow.now,
      state: 'pending',
    });
    expect(await keptOf(plan.id)).toEqual([simulation]);
    expect(world.jobs.of(world.tenant)).toEqual([{ name: 'simulation.execute', id: simulation.id }]);
    expect(decision.decision.outcome).toBe('allow');
    expect(autonomyRevisionId).toBe((await world.inTx((tx) => world.autonomy.current(tx)))?.revisionId);
  });

  it('is audited with its decision and the calls that it predicts', async () => {
    const plan = await world.planned();
    const before = world.audited.length;
    const id = await world.asked(plan);
    const simulation = await world.simulation(id);
    expect(world.audited.slice(before)).toEqual([
      {
        action: 'simulation.requested',
        actor: actorOf(world.tenant.agent),
        level: 'full_with_evidence',
        within: expect.arrayContaining([
          { type: 'task', id: plan.taskId },
          { type: 'plan', id: plan.id },
        ]) as unknown,
        decisionId: simulation.decisionId,
        subject: { type: 'simulation', id },
        payload: { plan_digest: plan.expansion?.digest, calls: 3 },
      },
    ]);
    expect(await world.inTx((tx) => world.decisions.find(tx, simulation.decisionId))).toMatchObject({
      entrypoint: 'plan',
      input: { stage: 'simulate' },
      about: { subject: { type: 'plan', id: plan.id } },
    });
  });

  it('is for a principal that may change the task', async () => {
    const { tenant } = world;
    for (const by of [tenant.agent, tenant.owner, tenant.admin])
      expect(await start((await world.planned()).id, by)).toMatchObject({ ok: true });
    const plan = await world.planned();
    const system: Principal = { kind: 'system', tenantId: tenant.tenantId, name: 'worker' };
    const { jobs, audited } = { jobs: world.jobs.of(tenant).length, audited: world.audited.length };
    for (const by of [sampleAgent(tenant.owner), samplePerson(tenant.tenantId, ['SRELead'])])
      expect(await start(plan.id, by)).toMatchObject({ error: { kind: 'forbidden', code: 'task.not_yours' } });
    expect(await start(plan.id, system)).toMatchObject({ error: { code: 'task.submitter_required' } });
    expect(await keptOf(plan.id)).toEqual([]);
    expect([world.jobs.of(tenant).length, world.audited.length]).toEqual([jobs, audited]);
  });

  it('locks the policies before the records that it is decided from', async () => {
    const plan = await world.planned();
    const bundle = jest.spyOn(world.decisions, 'lockBundleHead');
    const facts = jest.spyOn(world.startFacts, 'hold');
    await start(plan.id);
    expect(bundle.mock.invocationCallOrder[0]).toBeLessThan(facts.mock.invocationCallOrder[0] ?? 0);
  });
});

describe('a simulation is refused', () => {
  it('while another one of the plan is active', async () => {
    const plan = await world.planned();
    const id = await world.asked(plan);
    const active = { kind: 'conflict', code: 'simulation.already_active', details: { simulation_id: id } };
    expect(await start(plan.id)).toMatchObject({ ok: false, error: active });
    world.dispatcher.answer = () => ({ kind: 'unknown', error: { code: 'dispatch.timed_out', message: 'No answer.' } });
    expect(await world.execute(id)).toMatchObject({ state: 'failed' });
    expect(await start(plan.id)).toMatchObject({ ok: true });
  });

  it('to one of two that ask at the same moment', async () => {
    const plan = await world.planned();
    const answers = await Promise.all([start(plan.id), start(plan.id, world.tenant.owner)]);
    expect(answers).toMatchObject([{ ok: true }, { ok: false, error: { code: 'simulation.already_active' } }]);
    expect(await keptOf(plan.id)).toHaveLength(1);
  });

  it('of a plan that is live no more', async () => {
    const first = await world.planned();
    await world.planned(first.taskId);
    expect(await start(first.id)).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'simulation.plan_not_live', details: { plan_state: 'superseded' } },
    });
    expect(await keptOf(first.id)).toEqual([]);
  });

  it.each<[readonly TaskState[]]>([[['executing']], [['executing', 'completed']], [['executing', 'failed']]])(
    'if its task went on to %j',
    async (states) => {
      const plan = await world.planned();
      for (const state of states) await world.moveTask(plan.taskId, state);
      expect(await start(plan.id)).toMatchObject({
        error: { kind: 'conflict', code: 'simulation.task_not_planned', details: { task_state: states.at(-1) } },
      });
      expect(await keptOf(plan.id)).toEqual([]);
    },
  );

  it('if nothing predicts one of its tools', async () => {
    const { definition } = world.rollout;
    const { name: _name, simulation: _simulation, ...document } = definition;
    await world.register(sampleTool('rollout', { ...document, simulated_by: null }, 2));
    const plan = await world.planned();
    expect(await start(plan.id)).toMatchObject({ error: { kind: 'unprocessable', code: 'simulation.no_tool' } });
    expect(world.jobs.of(world.tenant)).toEqual([]);
  });

  it('for a plan of another tenant', async () => {
    const plan = await world.planned();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await start(plan.id, world.world.other.admin)).toMatchObject(missing);
    expect(await start(newId<PlanId>())).toMatchObject(missing);
  });

  it.each<[string, () => Parameters<FakeSimulationWorld['halt']>[0]]>([
    ['everything', () => ({ kind: 'tenant' })],
    ['its environment', () => environmentHalt(world.tenant.production)],
    ['its agent', () => ({ kind: 'agent', agentId: world.tenant.agent.agentId })],
    ['a tool that it predicts', () => ({ kind: 'tool', tool: 'rollout' })],
    ['the tool that would predict it', () => ({ kind: 'tool', tool: 'look' })],
  ])('by policy while %s is halted, and the refusal is on record', async (_what, target) => {
    const plan = await world.planned();
    const before = world.audited.length;
    await world.halt(target());
    expect(await start(plan.id)).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', code: 'policy.denied', reasons: [{ code: 'halt.active' }] },
    });
    expect(await keptOf(plan.id)).toEqual([]);
    expect(world.jobs.of(world.tenant)).toEqual([]);
    const [entry, ...others] = world.audited.slice(before);
    expect([entry, others]).toMatchObject([
      {
        action: 'simulation.refused',
        subject: { type: 'plan', id: plan.id },
        payload: { plan_digest: plan.expansion?.digest, reasons: ['halt.active'] },
      },
      [],
    ]);
    expect(await world.inTx((tx) => world.decisions.find(tx, entry?.decisionId ?? newId()))).toMatchObject({
      decision: { outcome: 'deny' },
    });
  });

  it('by no halt of another environment, agent or tool', async () => {
    const plan = await world.planned();
    await world.halt(environmentHalt(world.tenant.staging));
    await world.halt({ kind: 'agent', agentId: newId() });
    await world.halt({ kind: 'tool', tool: 'restart' });
    expect(await start(plan.id)).toMatchObject({ ok: true });
  });
});
