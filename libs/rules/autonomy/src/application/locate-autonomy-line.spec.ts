import { newId, type AutonomyRevisionId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { TWO_LEADS } from './fake-autonomy-world.js';
import { FakeAutonomyRepository, sampleRevision } from './fake-autonomy.repository.js';
import { LocateAutonomyLine, type DecisionOfRevision } from './locate-autonomy-line.js';

/** How many parsed revisions are kept. */
const KEPT = 50;

/** Revision 1 at 1,000, and revision 2 at 2,000 with one line more before all others. */
async function located() {
  const { uow, home, other } = fakeWorld();
  const revisions = new FakeAutonomyRepository(uow);
  const put = async (number: number, source = TWO_LEADS): Promise<AutonomyRevisionId> => {
    const revision = sampleRevision(source, { number, createdAt: number * 1_000 });
    await uow.run(home.tenantId, (tx) => revisions.put(tx, revision));
    return revision.revisionId;
  };
  const [first, second] = [await put(1), await put(2, `# for later\n${TWO_LEADS}`)];
  /** The ids of each query. */
  const queries: (readonly AutonomyRevisionId[])[] = [];
  const locate = new LocateAutonomyLine(uow, {
    findMany: (tx, ids) => {
      queries.push(ids);
      return revisions.findMany(tx, ids);
    },
    inForceAt: (tx, at) => revisions.inForceAt(tx, at),
  });
  return { locate, put, first, second, queries, tenantId: home.tenantId, elsewhere: other.tenantId };
}

const from = (source: string) => ({ effective: { mode: 'full_auto', source } }) as DecisionOfRevision['decision'];
const PRODUCTION = from('environments.production.mode');
const of = (autonomyRevisionId: AutonomyRevisionId | null, decision = PRODUCTION): DecisionOfRevision => ({
  decision,
  autonomyRevisionId,
});

describe('the line of a decision', () => {
  it('stands in the revision that was in force at the decision', async () => {
    const { locate, tenantId } = await located();
    const at = (decidedAt: number) => locate.execute(tenantId, { decision: PRODUCTION, decidedAt });
    expect(await at(1_999)).toEqual({ revision: 1, line: 5, column: 13 });
    expect(await at(2_000)).toEqual({ revision: 2, line: 6, column: 13 });
    expect(await at(999)).toBeNull();
  });

  it('is missing if the mode is the default, or nothing was decided', async () => {
    const { locate, tenantId, first } = await located();
    expect(await locate.execute(tenantId, { decision: from('default'), decidedAt: 2_000 })).toBeNull();
    expect(await locate.execute(tenantId, null)).toBeNull();
    expect(await locate.ofRevision(tenantId, of(first, from('environments.staging.mode')))).toBeNull();
    expect(await locate.ofRevision(tenantId, of(null))).toBeNull();
  });

  it('is found in a known revision of its tenant alone', async () => {
    const { locate, tenantId, first, second, elsewhere } = await located();
    expect(await locate.ofRevision(elsewhere, of(first))).toBeNull();
    expect(await locate.ofRevision(tenantId, of(first))).toMatchObject({ revision: 1, line: 5 });
    expect(await locate.ofRevision(tenantId, of(second, from('mode')))).toMatchObject({ revision: 2, line: 3 });
  });
});

describe('the lines of many decisions', () => {
  it('are of those that a document decided, by one query, and by none for revisions that are known', async () => {
    const { locate, tenantId, first, second, queries } = await located();
    const decided = [of(first), of(null), of(second), of(first, from('mode')), of(newId<AutonomyRevisionId>())];
    const lines = await locate.executeAll(tenantId, decided);
    expect(decided.map((one) => lines.get(one)?.line ?? null)).toEqual([5, null, 6, 2, null]);
    expect(queries).toHaveLength(1);
    await locate.executeAll(tenantId, [of(first), of(second)]);
    expect(queries).toHaveLength(1);
  });

  it('keep so many revisions and no more', async () => {
    const { locate, put, tenantId, queries } = await located();
    const ids: AutonomyRevisionId[] = [];
    for (let number = 3; number < 3 + KEPT + 1; number += 1) ids.push(await put(number));
    await locate.executeAll(
      tenantId,
      ids.map((id) => of(id)),
    );
    await locate.executeAll(
      tenantId,
      ids.slice(1).map((id) => of(id)),
    );
    expect(queries).toHaveLength(1);
    await locate.executeAll(
      tenantId,
      ids.slice(0, 1).map((id) => of(id)),
    );
    expect(queries.slice(1)).toEqual([ids.slice(0, 1)]);
  });
});
