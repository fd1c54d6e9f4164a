import type { PlanState } from '#lib/formats';
import { newId, type PlanId } from '#lib/kernel';
import { FakePlanWorld } from './fake-plan-world.js';
import { samplePlan } from './fake-plan.js';
import { PlanRetirement } from './plan-retirement.js';

let world: FakePlanWorld;
beforeEach(async () => {
  world = await FakePlanWorld.open();
});

const retire = async (state: PlanState, cause: 'superseded' | 'withdrawn') => {
  const { tenant } = world;
  const retirement = new PlanRetirement(world.plans, world.audit, [world.listener]);
  const plan = samplePlan(tenant, await world.task(), { state });
  const supersededBy = cause === 'superseded' ? newId<PlanId>() : null;
  const answer = await world.inTx(async (tx) => {
    await world.plans.insert(tx, { ...plan, state: 'draft' }, { tools: [], targets: [] });
    if (state !== 'draft') await world.plans.setState(tx, plan.id, 'validated', plan.createdAt);
    if (state === 'withdrawn') await world.plans.setState(tx, plan.id, state, plan.createdAt);
    return retirement.retire(tx, plan, { cause, supersededBy, principal: tenant.agent, at: plan.createdAt + 9 });
  });
  return { plan, answer, supersededBy };
};

describe('the end of a plan', () => {
  it.each(['superseded', 'withdrawn'] as const)('is %s, saved, audited and told', async (cause) => {
    const { plan, answer, supersededBy } = await retire('validated', cause);
    const ended = { ...plan, state: cause, updatedAt: plan.createdAt + 9 };
    expect(answer).toEqual({ ok: true, value: ended });
    expect(await world.find(plan.id)).toEqual(ended);
    expect(world.audited).toMatchObject([
      {
        action: `plan.${cause}`,
        payload: { revision: 1, plan_digest: plan.expansion.digest, cause, superseded_by: supersededBy },
      },
    ]);
    expect(world.listener.heard).toMatchObject([{ planId: plan.id, cause, supersededBy }]);
  });

  it.each([
    ['draft', 'superseded'],
    ['withdrawn', 'withdrawn'],
  ] as const)('is none of a plan that is %s: it is not %s, and nothing is written', async (state, cause) => {
    const { plan, answer } = await retire(state, cause);
    expect(answer).toMatchObject({ ok: false, error: { code: 'plan.illegal_transition', details: { state } } });
    expect(await world.find(plan.id)).toMatchObject({ state });
    expect([world.audited, world.listener.heard]).toEqual([[], []]);
  });
});
