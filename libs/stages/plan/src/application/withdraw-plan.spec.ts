import type { TaskState } from '#lib/formats';
import { actorOf, newId, type PlanId, type Principal } from '#lib/kernel';
import { sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePlanWorld } from './fake-plan-world.js';
import type { GetPlan } from './get-plan.js';
import type { WithdrawPlan } from './withdraw-plan.js';

let world: FakePlanWorld;
let getPlan: GetPlan;
let withdraw: (by: Principal, id: PlanId) => ReturnType<WithdrawPlan['execute']>;
beforeEach(async () => {
  world = await FakePlanWorld.open();
  const { withdrawPlan } = world.planning;
  ({ getPlan } = world.planning);
  withdraw = (by, id) => withdrawPlan.execute(by, id);
});

describe('withdrawing a plan', () => {
  it('ends it with its audit entry, and its listeners hear of it', async () => {
    const plan = await world.planned();
    const before = world.audited.length;
    world.uow.now += 60_000;
    const at = world.uow.now;
    const withdrawn = { ...plan, state: 'withdrawn', updatedAt: at };
    const principal = world.tenant.owner;
    const answer = await withdraw(principal, plan.id);
    expect(answer).toMatchObject({
      value: { plan: withdrawn, status: 'withdrawn', decision: { id: plan.decisionId } },
    });
    expect(answer).toEqual(await getPlan.execute(principal, plan.id));
    expect(world.listener.heard).toEqual([
      { planId: plan.id, taskId: plan.taskId, cause: 'withdrawn', supersededBy: null, principal, at },
    ]);
    expect(world.audited.slice(before)).toEqual([
      {
        action: 'plan.withdrawn',
        actor: actorOf(principal),
        level: 'full',
        subject: { type: 'plan', id: plan.id },
        within: expect.arrayContaining([{ type: 'task', id: plan.taskId }]) as unknown,
        payload: { revision: 1, plan_digest: plan.expansion?.digest, cause: 'withdrawn', superseded_by: null },
      },
    ]);
  });

  it('leaves the task planned, and its next revision is the second', async () => {
    const plan = await world.planned();
    await withdraw(world.tenant.agent, plan.id);
    expect(await world.inTx((tx) => world.tasks.find(tx, plan.taskId))).toMatchObject({ state: 'planned' });
    expect(await world.planned(plan.taskId)).toMatchObject({ revision: 2 });
  });

  it.each<[readonly TaskState[], string]>([
    [['executing'], 'plan.executing'],
    [['executing', 'completed'], 'plan.executed'],
    [['executing', 'failed'], 'plan.executed'],
  ])('is refused if its task went on to %j: %s', async (states, code) => {
    const plan = await world.planned();
    for (const state of states) await world.moveTask(plan.taskId, state);
    const before = world.audited.length;
    expect(await withdraw(world.tenant.agent, plan.id)).toMatchObject({ error: { kind: 'conflict', code } });
    expect(await world.find(plan.id)).toEqual(plan);
    expect([world.audited.length, world.listener.heard]).toEqual([before, []]);
  });

  it('is refused for a revision that is live no more, also while another one is executing', async () => {
    const first = await world.planned();
    await world.planned(first.taskId);
    const illegal = { ok: false, error: { kind: 'conflict', code: 'plan.illegal_transition' } };
    expect(await withdraw(world.tenant.agent, first.id)).toMatchObject(illegal);
    await world.moveTask(first.taskId, 'executing');
    expect(await withdraw(world.tenant.agent, first.id)).toMatchObject(illegal);
    expect(await world.find(first.id)).toMatchObject({ state: 'superseded' });
  });

  it('succeeds once if two ask at the same moment', async () => {
    const { id } = await world.planned();
    const answers = await Promise.all([withdraw(world.tenant.agent, id), withdraw(world.tenant.admin, id)]);
    expect(answers).toMatchObject([{ ok: true }, { ok: false, error: { code: 'plan.illegal_transition' } }]);
    expect(world.listener.heard).toHaveLength(1);
  });

  it('is for a principal that may change the task', async () => {
    const plan = await world.planned();
    const { tenant } = world;
    const strangers = [sampleAgent(tenant.owner), samplePerson(tenant.tenantId, ['SRELead'])];
    for (const by of strangers)
      expect(await withdraw(by, plan.id)).toMatchObject({ error: { kind: 'forbidden', code: 'task.not_yours' } });
    expect(await world.find(plan.id)).toEqual(plan);
  });

  it('finds no plan of another tenant', async () => {
    const plan = await world.planned();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await withdraw(world.world.other.admin, plan.id)).toMatchObject(missing);
    expect(await withdraw(world.tenant.admin, newId<PlanId>())).toMatchObject(missing);
    expect(await world.find(plan.id)).toEqual(plan);
  });

  it('is undone as a whole if a listener fails', async () => {
    const plan = await world.planned();
    const before = world.audited.length;
    world.listener.work = () => Promise.reject(new Error('the request is locked'));
    await expect(withdraw(world.tenant.agent, plan.id)).rejects.toThrow('the request is locked');
    expect(await world.find(plan.id)).toEqual(plan);
    expect(world.audited).toHaveLength(before);
  });
});
