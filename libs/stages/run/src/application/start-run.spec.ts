import type { PlanDocument } from '#lib/formats';
import { type AgentId, newId, type PlanId } from '#lib/kernel';
import { APPROVED_BY_ONE } from '../fake-run-approvals.js';
import { codeOf, fine, healthCheck, newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const document = (): PlanDocument => ({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
const released = (): PlanDocument => ({
  phases: [phase('one', [newHost()], [step('a', { tool: 'release' }), step('b', { tool: 'release' })])],
});
const start = (planId: PlanId) => world().parts.start.execute(world().agent, planId);
const refusals = () =>
  world()
    .audit.of(world())
    .filter(({ action }) => action === 'run.refused')
    .map(({ payload }) => payload);
const jobs = () =>
  world()
    .jobs.of(world())
    .map(({ name, id }) => ({ name, id }));

describe('a run that policy lets start without approval', () => {
  it('is queued with its steps, has its first event, and is worked on at once', async () => {
    const planId = await world().plan(document());
    const run = valueOf(await start(planId));
    expect(run).toMatchObject({
      planId,
      state: 'queued',
      phases: 'all',
      authority: { kind: 'policy' },
      startedBy: { kind: 'agent', id: world().agent.agentId },
      nextAt: world().uow.now,
      eventCount: 1,
    });
    expect(await world().run(run.id)).toEqual(run);
    expect(await world().steps(run.id)).toEqual(['a:pending', 'b:pending']);
    expect(await world().events(run.id)).toMatchObject([
      { seq: 1, type: 'run.created', data: { phases: 'all', environment: 'staging', steps: 2 } },
    ]);
    expect(jobs()).toEqual([{ name: 'run.advance', id: run.id }]);
    expect(world().calls).toEqual([]);
  });

  it('is started by any person with a credential that may run', async () => {
    const planId = await world().plan(document());
    expect(valueOf(await world().parts.start.execute(world().person, planId)).startedBy.kind).toBe('person');
  });

  it('is not started by an agent that the task is not of', async () => {
    const planId = await world().plan(document());
    const other = { ...world().agent, agentId: newId<AgentId>() };
    expect(codeOf(await world().parts.start.execute(other, planId))).toBe('task.not_yours');
    expect(jobs()).toEqual([]);
  });

  it('needs a plan', async () => {
    expect(codeOf(await start(newId<PlanId>()))).toBe('resource.not_found');
    expect(refusals()).toEqual([]);
  });

  it('is the only one of its task until it has ended', async () => {
    const planId = await world().plan(document());
    const first = valueOf(await start(planId));
    expect(await start(planId)).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'run.already_live', details: { run_id: first.id, state: 'queued' } },
    });
    valueOf(await world().parts.control.execute(world().person, first.id, 'cancel', null));
    await world().settle(first.id);
    expect(codeOf(await start(planId))).toBe('ok');
  });

  it('is refused by policy for the record', async () => {
    const planId = await world().plan(document());
    world().autonomy({ autonomy: { mode: 'plan_only' } });
    expect(codeOf(await start(planId))).toBe('policy.denied');
    expect(refusals()).toMatchObject([{ code: 'policy.denied' }]);
    expect(jobs()).toEqual([]);
  });

  it('is refused if a record has changed since the plan was expanded', async () => {
    const planId = await world().plan(document());
    await world().moveToolServer('http://127.0.0.1:2');
    expect(codeOf(await start(planId))).toBe('approval.plan_outdated');
    expect(refusals()).toMatchObject([{ code: 'approval.plan_outdated' }]);
  });
});

describe('a run of canary phases', () => {
  beforeEach(() => {
    world().autonomy({
      autonomy: {
        mode: 'plan_only',
        environments: { production: { mode: 'canary_only', allowed_approvers: ['SRELead'] } },
      },
    });
  });
  const approve = async (planId: PlanId) => {
    const lead = world().approvals.person(world().agent, 'SRELead');
    await world().approvals.approve(lead, await world().approvals.ask(world().agent, planId));
  };

  it('is all that starts, and leaves the rest of its plan to another', async () => {
    world().behave(({ tool }) =>
      tool.name === 'check' ? { kind: 'succeeded', result: { metrics: { error_rate: 0 } } } : fine,
    );
    const watched = { health_checks: [healthCheck], rollback_if: 'web.error_rate > 0.05', batch_percent: 20 };
    const planId = await world().plan(
      {
        phases: [
          phase('canary', [newHost()], [step('a', { tool: 'release' })], { ...watched, canary: true }),
          phase('rest', [newHost(), newHost()], [step('b', { tool: 'release' })], watched),
        ],
      },
      world().home.production,
    );
    await approve(planId);
    const canary = valueOf(await start(planId));
    expect(canary.phases).toBe('canary');
    expect(await world().settle(canary.id)).toMatchObject({ state: 'completed' });
    expect(await world().steps(canary.id)).toEqual(['a:succeeded', 'web:succeeded']);
    expect(await world().taskState(canary)).toBe('planned');

    expect(codeOf(await start(planId))).toBe('policy.denied');
    world().autonomy(APPROVED_BY_ONE);
    await approve(planId);
    const rest = valueOf(await start(planId));
    expect(rest.phases).toBe('promotion');
    expect(await world().settle(rest.id)).toMatchObject({ state: 'completed' });
    expect(await world().steps(rest.id)).toEqual(['b:succeeded', 'web:succeeded', 'b:succeeded', 'web:succeeded']);
    expect(await world().taskState(rest)).toBe('completed');
  });

  it('needs one', async () => {
    const planId = await world().plan(released(), world().home.production);
    expect(codeOf(await start(planId))).toBe('policy.denied');
  });
});

describe('a run that people approve', () => {
  const asked = async (how: 'manual' | 'on_approval' = 'manual') => {
    world().autonomy(APPROVED_BY_ONE);
    const lead = world().approvals.person(world().agent, 'SRELead');
    const planId = await world().plan(released(), world().home.production);
    const requestId = await world().approvals.ask(world().agent, planId, how);
    return { planId, requestId, lead, approve: () => world().approvals.approve(lead, requestId) };
  };
  const stateOf = (requestId: string) =>
    world()
      .requests.all(world())
      .find(({ id }) => id === requestId)?.state;

  it('does not start before they have', async () => {
    const { planId } = await asked();
    expect(codeOf(await start(planId))).toBe('policy.denied');
  });

  it('uses the approval up', async () => {
    const { planId, requestId, approve } = await asked();
    await approve();
    const run = valueOf(await start(planId));
    expect(run).toMatchObject({
      authority: { kind: 'approval', requestId },
      approvedTerms: { outcome: 'require_approval' },
    });
    expect(stateOf(requestId)).toBe('consumed');
    expect(await world().settle(run.id)).toMatchObject({ state: 'completed' });
    expect(world().calls.map(({ basis }) => basis)).toEqual(['approval', 'approval']);
  });

  it('starts by itself if that was asked', async () => {
    const { planId, requestId, lead, approve } = await asked('on_approval');
    await approve();
    expect(stateOf(requestId)).toBe('consumed');
    const [run] = await world().tx((tx) => world().runs.ofPlan(tx, planId));
    expect(run).toMatchObject({ state: 'queued', startedBy: { kind: 'person', id: lead.personId } });
  });

  it('does not start once one of them is disabled', async () => {
    const { planId, requestId, lead, approve } = await asked();
    await approve();
    world().approvals.disable(lead);
    expect(codeOf(await start(planId))).toBe('approval.reviewer_disabled');
    expect(stateOf(requestId)).toBe('voided');
    expect(refusals()).toMatchObject([{ code: 'approval.reviewer_disabled' }]);
  });

  it('stops at its next step once one of them is disabled, and its way back is open', async () => {
    const { planId, lead, approve } = await asked();
    await approve();
    world().behave(() => {
      world().approvals.disable(lead);
      return { kind: 'succeeded', result: null };
    });
    const run = valueOf(await start(planId));
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.reviewer_disabled' } });
    expect(world().calls).toHaveLength(1);
    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    expect((await world().settle(run.id)).state).toBe('rolled_back');
  });
});
