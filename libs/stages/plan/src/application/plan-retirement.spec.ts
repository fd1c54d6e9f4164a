import { newId, type PlanId } from '#lib/kernel';
import { FakePlanWorld } from './fake-plan-world.js';
import { samplePlan } from './fake-plan.js';
import { PlanRetirement } from './plan-retirement.js';

let world: FakePlanWorld;
beforeEach(async () => {
  world = await FakePlanWorld.open();
});

describe('the end of a plan', () => {
  it.each([
    ['superseded', 'superseded'],
    ['withdrawn', 'withdrawn'],
    ['task_cancelled', 'withdrawn'],
  ] as const)('for the cause %s is %s, saved, audited and told', async (cause, state) => {
    const { tenant } = world;
    const retirement = new PlanRetirement(world.plans, world.audit, [world.listener]);
    const plan = { ...samplePlan(tenant, await world.task()), state: 'validated' as const };
    const at = plan.createdAt + 9;
    const supersededBy = cause === 'superseded' ? newId<PlanId>() : null;
    const answer = await world.inTx(async (tx) => {
      await world.plans.insert(tx, plan, { tools: [], targets: [] });
      return retirement.retire(tx, plan, { cause, supersededBy, principal: tenant.agent, at });
    });
    const ended = { ...plan, state, updatedAt: at };
    expect(answer).toEqual(ended);
    expect(await world.find(plan.id)).toEqual(ended);
    expect(world.audited).toMatchObject([
      {
        action: `plan.${state}`,
        payload: { revision: 1, plan_digest: plan.expansion.digest, cause, superseded_by: supersededBy },
      },
    ]);
    expect(world.listener.heard).toMatchObject([{ planId: plan.id, cause, supersededBy }]);
  });
});
