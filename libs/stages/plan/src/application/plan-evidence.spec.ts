import { canonicalJson } from '#lib/canonical';
import { digestText, newId, type PlanId } from '#lib/kernel';
import { FakePlanWorld, rolloutDocument } from './fake-plan-world.js';
import { PlanEvidence } from './plan-evidence.js';

let world: FakePlanWorld;
beforeEach(async () => {
  world = await FakePlanWorld.open();
});

/** The documents of a plan's evidence, with the digest of each. */
const evidenceOf = async (id: PlanId) => {
  const evidence = new PlanEvidence(world.plans, world.tasks, world.resolver);
  const documents = await world.inTx((tx) => evidence.collect(tx, id));
  return documents
    .map(({ kind, id: of, document }) => ({ kind, id: of, digest: digestText(kind, canonicalJson(document)) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
};

describe('the evidence of a plan', () => {
  it('holds the documents of its task, its expansion and its tools, each with the digest on record', async () => {
    const task = await world.task();
    const plan = await world.planned(task.id);
    const { look, rollout } = world;
    const expected = [
      { kind: 'task', id: task.id, digest: task.digest },
      { kind: 'plan', id: plan.id, digest: plan.expansion?.digest },
      { kind: 'tool', id: 'look@1', digest: look.digest },
      { kind: 'tool', id: 'rollout@1', digest: rollout.digest },
    ];
    expect(await evidenceOf(plan.id)).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it('holds the task alone if the plan could not be expanded', async () => {
    const task = await world.task();
    await world.inTx((tx) => world.tools.remove(tx, 'rollout'));
    const refused = await world.submit(task.id, rolloutDocument());
    const id = (refused.ok ? '' : refused.error.details?.plan_id) as PlanId;
    expect(await evidenceOf(id)).toEqual([{ kind: 'task', id: task.id, digest: task.digest }]);
  });

  it('is empty for a plan that is not there', async () => {
    expect(await evidenceOf(newId<PlanId>())).toEqual([]);
  });
});
