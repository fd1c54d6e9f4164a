import { canonicalJson, type Json } from '#lib/canonical';
import type { PlanDocument, TaskState } from '#lib/formats';
import { actorOf, digestText, newId, type Principal } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePlanWorld, rolloutDocument } from './fake-plan-world.js';

let world: FakePlanWorld;
beforeEach(async () => {
  world = await FakePlanWorld.open();
});

describe('a valid plan', () => {
  it('is expanded, decided on and kept, and its task is planned', async () => {
    const task = await world.task();
    world.uow.now += 5_000;
    const submitted = await world.submit(task.id);
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    const { plan, status, decision, description, autonomyRevisionId } = submitted.value;
    const text = canonicalJson(plan.expansion?.plan as unknown as Json);
    expect(plan).toMatchObject({
      taskId: task.id,
      revision: 1,
      state: 'validated',
      document: rolloutDocument(),
      expansion: { text, digest: digestText('plan', text) },
      headline: { headline: 'rollout on 3 targets, image web-2026.11, revision 1', risk: 'high' },
      errors: [],
      decisionId: decision.id,
      submitter: task.submitter,
      createdAt: world.uow.now,
      updatedAt: world.uow.now,
    });
    expect(plan.expansion?.plan.distinct_targets).toEqual(['web-1', 'web-2', 'web-3']);
    expect(await world.find(plan.id)).toEqual(plan);
    expect([status, decision.decision.outcome, description?.headline]).toEqual([
      'validated',
      'allow',
      plan.headline?.headline,
    ]);
    const inForce = await world.inTx((tx) => world.autonomy.current(tx));
    expect(autonomyRevisionId).toBe(inForce?.revisionId);
    expect(await world.inTx((tx) => world.tasks.find(tx, task.id))).toMatchObject({ state: 'planned' });
  });

  it('is audited with its decision, its digest as evidence, and the change of its task', async () => {
    const task = await world.task();
    const { id, expansion, decisionId } = await world.planned(task.id);
    const about = { actor: actorOf(world.tenant.agent), decisionId, within: expect.anything() as unknown };
    expect(world.audited).toEqual([
      {
        ...about,
        action: 'plan.validated',
        level: 'full_with_evidence',
        subject: { type: 'plan', id },
        evidence: [{ kind: 'plan', id, digest: expansion?.digest }],
        payload: {
          revision: 1,
          environment: 'production',
          task_digest: task.digest,
          plan_digest: expansion?.digest,
          calls: 3,
          distinct_targets: 3,
          supersedes: null,
        },
      },
      {
        ...about,
        action: 'task.planned',
        level: 'detailed',
        subject: { type: 'task', id: task.id },
        payload: { task_digest: task.digest, before: 'created', after: 'planned' },
      },
    ]);
    expect(world.audited[0]?.within).toEqual(
      expect.arrayContaining([
        { type: 'plan', id },
        { type: 'task', id: task.id },
      ]),
    );
    expect(await world.inTx((tx) => world.decisions.find(tx, decisionId ?? newId()))).toMatchObject({
      entrypoint: 'plan',
      input: { stage: 'validate', autonomy: { autonomy: { mode: 'full_auto' } } },
      about: { subject: { type: 'plan', id } },
      decidedAt: world.uow.now,
    });
  });

  it('holds its tools, and the targets of its state changes alone', async () => {
    const insert = jest.spyOn(world.plans, 'insert');
    const document = rolloutDocument();
    const steps = [{ id: 'look', tool: 'look', arguments: { targets: { $batch: 'targets' } }, on_failure: 'pause' }];
    const reading = document.phases.slice(1).map((phase) => ({ ...phase, name: 'look', targets: ['web-9'], steps }));
    const phases = [...document.phases, ...reading] as PlanDocument['phases'];
    expect(await world.submit((await world.task()).id, { ...document, phases })).toMatchObject({ ok: true });
    const { tools, targets } = insert.mock.lastCall?.[2] ?? {};
    expect(new Set(tools)).toEqual(new Set([world.look, world.rollout].map(({ id, name }) => ({ id, name }))));
    expect(targets).toEqual(['web-1', 'web-2', 'web-3']);
  });

  it("belongs to the principal that submits it, also if the task is another's", async () => {
    const task = await world.task();
    const { owner } = world.tenant;
    expect(await world.submit(task.id, undefined, owner)).toMatchObject({
      ok: true,
      value: { plan: { submitter: { kind: 'person', id: owner.personId, credentialId: owner.credentialId } } },
    });
  });

  it('takes the place of the one before, and its listeners hear of it', async () => {
    const task = await world.task();
    const first = await world.planned(task.id);
    const before = world.audited.length;
    const second = await world.planned(task.id);
    expect(await world.revisionsOf(task.id)).toEqual([
      [1, 'superseded'],
      [2, 'validated'],
    ]);
    expect(world.listener.heard).toEqual([
      {
        planId: first.id,
        taskId: task.id,
        cause: 'superseded',
        supersededBy: second.id,
        principal: world.tenant.agent,
        at: world.uow.now,
      },
    ]);
    expect(world.audited.slice(before)).toMatchObject([
      { action: 'plan.superseded', payload: { superseded_by: second.id, plan_digest: first.expansion?.digest } },
      { action: 'plan.validated', payload: { revision: 2, supersedes: first.id } },
    ]);
  });

  it('does not count if a listener fails: the one before stays live', async () => {
    const task = await world.task();
    const first = await world.planned(task.id);
    world.listener.work = () => Promise.reject(new Error('the request is locked'));
    await expect(world.submit(task.id)).rejects.toThrow('the request is locked');
    expect(await world.revisionsOf(task.id)).toEqual([[1, 'validated']]);
    expect(await world.find(first.id)).toEqual(first);
  });

  it('gets a number of its own if two are submitted at the same moment, and one is live', async () => {
    const task = await world.task();
    await Promise.all([world.planned(task.id), world.planned(task.id)]);
    expect(await world.revisionsOf(task.id)).toEqual([
      [1, 'superseded'],
      [2, 'validated'],
    ]);
  });

  it("masks secrets in the agent's own words (T32)", async () => {
    const task = await world.task();
    const summary = `use cs_p_${'z'.repeat(40)}`;
    expect(await world.submit(task.id, { ...rolloutDocument(), summary })).toMatchObject({
      ok: true,
      value: { plan: { document: { summary: 'use [masked]' } } },
    });
    expect(JSON.stringify(world.audited)).not.toContain('zzzz');
  });

  it('locks the policies before the records that it is decided from', async () => {
    const bundle = jest.spyOn(world.decisions, 'lockBundleHead');
    const facts = jest.spyOn(world.facts, 'hold');
    await world.planned();
    expect(bundle.mock.invocationCallOrder[0]).toBeLessThan(facts.mock.invocationCallOrder[0] ?? 0);
  });
});

describe('a plan that nothing keeps', () => {
  const system = (): Principal => ({ kind: 'system', tenantId: world.tenant.tenantId, name: 'worker' });
  it.each<[string, TaskState, () => Principal, string]>([
    ['comes from the system', 'created', system, 'task.submitter_required'],
    ['is of a stranger', 'created', () => samplePerson(world.tenant.tenantId, ['SRELead']), 'task.not_yours'],
    [
      'is of a stranger, of a task that is closed',
      'failed',
      () => samplePerson(world.tenant.tenantId),
      'task.not_yours',
    ],
    ['is of a task that is executing', 'executing', () => world.tenant.agent, 'task.executing'],
    ['is of a task that is completed', 'completed', () => world.tenant.agent, 'task.closed'],
    ['is of a task that failed', 'failed', () => world.tenant.agent, 'task.closed'],
    ['is of a task that is cancelled', 'cancelled', () => world.tenant.agent, 'task.closed'],
    ['is of a task of another tenant', 'created', () => world.world.other.admin, 'resource.not_found'],
  ])('%s', async (_what, state, by, code) => {
    const task = await world.task(state);
    expect(await world.submit(task.id, undefined, by())).toMatchObject({ ok: false, error: { code } });
    expect(await world.revisionsOf(task.id)).toEqual([]);
    expect(await world.inTx((tx) => world.tasks.find(tx, task.id))).toEqual(task);
    expect(world.audited).toEqual([]);
    expect(await world.inTx((tx) => world.decisions.list(tx, [], { limit: 9, after: null }))).toEqual([]);
  });
});
