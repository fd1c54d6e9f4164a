import { newId, type PlanId, type Principal } from '#lib/kernel';
import { diffPlans } from '../domain/diff-plans.js';
import type { Plan } from '../domain/plan.js';
import { DiffPlans } from './diff-plans.js';
import { FakePlanWorld, rolloutDocument } from './fake-plan-world.js';

let world: FakePlanWorld;
let diff: (id: PlanId, against: PlanId | 'last_executed', by?: Principal) => ReturnType<DiffPlans['execute']>;
beforeEach(async () => {
  world = await FakePlanWorld.open();
  const useCase = new DiffPlans(world.uow, world.plans);
  diff = (id, against, by = world.tenant.agent) => useCase.execute(by, id, against);
});

describe('the difference of two plans', () => {
  it('is of two revisions of one task', async () => {
    const first = await world.planned();
    const submitted = await world.submit(first.taskId, rolloutDocument('web-2026.12'));
    if (!submitted.ok) throw new Error(submitted.error.code);
    const second = submitted.value.plan;
    const before = await world.find(first.id);
    const answer = await diff(second.id, first.id);
    if (!answer.ok) throw new Error(answer.error.code);
    expect([answer.value.before, answer.value.after]).toEqual([before, second]);
    const sideOf = ({ document, expansion }: Plan) => ({ document, expanded: expansion?.plan ?? null });
    expect(answer.value.diff).toEqual(diffPlans(sideOf(first), sideOf(second)));
    expect(answer.value.diff).not.toEqual(diffPlans(sideOf(first), sideOf(first)));
    expect(await diff(second.id, second.id)).toMatchObject({ ok: true });
  });

  it('is of documents alone if one could not be expanded', async () => {
    const first = await world.planned();
    const document = rolloutDocument();
    const phases = document.phases.map((phase) => ({
      ...phase,
      steps: phase.steps.map((step) => ({ ...step, tool: 'rolout' })),
    }));
    const refused = await world.submit(first.taskId, { ...document, phases });
    const id = (refused.ok ? '' : refused.error.details?.plan_id) as PlanId;
    const answer = await diff(id, first.id);
    expect(answer).toMatchObject({ ok: true, value: { after: { expansion: null } } });
    expect(JSON.stringify(answer.ok && answer.value.diff)).toContain('rolout');
  });

  it('is refused for plans of two tasks', async () => {
    const [one, other] = [await world.planned(), await world.planned()];
    expect(await diff(one.id, other.id)).toMatchObject({
      ok: false,
      error: { kind: 'unprocessable', code: 'plan.other_task', errors: [{ pointer: '/against' }] },
    });
  });

  it('is of the plan of its kind that was executed last, also of another task', async () => {
    const [executed, plan] = [await world.planned(), await world.planned()];
    world.plans.executedLike.set(plan.id, executed.id);
    expect(await diff(plan.id, 'last_executed')).toMatchObject({
      ok: true,
      value: { before: { id: executed.id }, after: { id: plan.id } },
    });
    expect(await diff(executed.id, 'last_executed')).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'plan.none_executed' },
    });
  });

  it('finds no plan of another tenant', async () => {
    const { id } = await world.planned();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await diff(id, newId<PlanId>())).toMatchObject(missing);
    expect(await diff(newId<PlanId>(), id)).toMatchObject(missing);
    expect(await diff(newId<PlanId>(), 'last_executed')).toMatchObject(missing);
    expect(await diff(id, id, world.world.other.admin)).toMatchObject(missing);
  });
});
