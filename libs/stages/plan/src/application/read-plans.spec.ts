import { newId, type PlanId, type TaskId } from '#lib/kernel';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import type { Plans } from '../create-plans.js';
import { FakePlanWorld, rolloutDocument } from './fake-plan-world.js';

let world: FakePlanWorld;
let readDescription: Plans['readDescription'];
let getPlan: Plans['getPlan'];
let listPlans: Plans['listPlans'];
let readHeadlines: Plans['readHeadlines'];
beforeEach(async () => {
  world = await FakePlanWorld.open();
  ({ readDescription, getPlan, listPlans, readHeadlines } = world.planning);
});

const PAGE = { limit: 9, after: null };
const missing = { ok: false, error: { kind: 'not_found', code: 'resource.not_found' } };
/** A revision that could not be expanded, since it names a tool that is not there. */
const unexpanded = async (): Promise<PlanId> => {
  const document = rolloutDocument();
  const [canary, ...rest] = document.phases;
  if (canary === undefined) throw new Error('no canary');
  const steps = canary.steps.map((step) => ({ ...step, tool: 'rolout' }));
  const refused = await world.submit((await world.task()).id, { ...document, phases: [{ ...canary, steps }, ...rest] });
  return (refused.ok ? '' : refused.error.details?.plan_id) as PlanId;
};

describe('one plan', () => {
  it('comes with its shown status, the decision of its validation, and its description', async () => {
    const plan = await world.planned();
    world.plans.statuses.set(plan.id, 'simulated');
    const answer = await getPlan.execute(world.tenant.owner, plan.id);
    expect(answer).toMatchObject({
      ok: true,
      value: {
        plan,
        status: 'simulated',
        decision: { id: plan.decisionId, decision: { outcome: 'allow' } },
        description: { headline: plan.headline?.headline, targets: ['web-1', 'web-2', 'web-3'] },
      },
    });
  });

  it('has neither decision nor description if it could not be expanded', async () => {
    const id = await unexpanded();
    expect(await getPlan.execute(world.tenant.agent, id)).toMatchObject({
      ok: true,
      value: { plan: { id, state: 'invalid' }, status: 'invalid', decision: null, description: null },
    });
  });

  it('is not shown to another tenant', async () => {
    const { id } = await world.planned();
    expect(await getPlan.execute(world.world.other.admin, id)).toMatchObject(missing);
    expect(await getPlan.execute(world.tenant.admin, newId<PlanId>())).toMatchObject(missing);
  });
});

describe('the description of a plan', () => {
  it('keeps to the tool versions that it was expanded with', async () => {
    const { id } = await world.planned();
    const before = await world.inTx((tx) => readDescription.execute(tx, id));
    expect(before).toMatchObject({ risk: 'high' });
    await world.register(sampleTool('rollout', {}, 2));
    expect(await world.inTx((tx) => readDescription.execute(tx, id))).toEqual(before);
  });

  it('is null for a plan that could not be expanded, or that is not there', async () => {
    const id = await unexpanded();
    expect(await world.inTx((tx) => readDescription.execute(tx, id))).toBeNull();
    expect(await world.inTx((tx) => readDescription.execute(tx, newId<PlanId>()))).toBeNull();
  });
});

describe('lists of plans', () => {
  it('hold the revisions of the tenant, or of one task', async () => {
    const first = await world.planned();
    world.uow.now += 1_000;
    const second = await world.planned(first.taskId);
    world.uow.now += 1_000;
    const other = await world.planned();
    const listed = async (filter: Parameters<Plans['listPlans']['execute']>[1]) => {
      const found = await listPlans.execute(world.tenant.owner, filter, PAGE);
      return found.ok && found.value.map(({ plan, status }) => [plan.id, status]);
    };
    expect(await listed({})).toEqual([
      [other.id, 'validated'],
      [second.id, 'validated'],
      [first.id, 'superseded'],
    ]);
    expect(await listed({ taskId: first.taskId, status: 'superseded' })).toEqual([[first.id, 'superseded']]);
    expect(await listPlans.execute(world.world.other.admin, {}, PAGE)).toEqual({ ok: true, value: [] });
  });

  it('are refused for a task that is not there, or of another tenant', async () => {
    const { taskId } = await world.planned();
    expect(await listPlans.execute(world.world.other.admin, { taskId }, PAGE)).toMatchObject(missing);
    expect(await listPlans.execute(world.tenant.admin, { taskId: newId<TaskId>() }, PAGE)).toMatchObject(missing);
    expect(await listPlans.execute(world.tenant.admin, { taskId: (await world.task()).id }, PAGE)).toEqual({
      ok: true,
      value: [],
    });
  });
});

describe('headlines for lists of tasks', () => {
  it('are those of the latest plan of each task', async () => {
    const first = await world.planned();
    const second = await world.planned(first.taskId);
    const { tenantId } = world.tenant;
    expect(await readHeadlines.execute(tenantId, [first.taskId, newId<TaskId>()])).toEqual(
      new Map([[first.taskId, second.headline]]),
    );
    expect(await readHeadlines.execute(world.world.other.tenantId, [first.taskId])).toEqual(new Map());
  });

  it('cost no transaction if there are none to read', async () => {
    const { committed } = world.uow;
    expect(await readHeadlines.execute(world.tenant.tenantId, [])).toEqual(new Map());
    expect(world.uow.committed).toBe(committed);
  });
});
