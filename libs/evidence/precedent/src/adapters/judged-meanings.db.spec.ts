import MiniSearch from 'minisearch';
import { makeTenant } from '../../../../../test/database/arrange.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { judgedMeanings, type JudgedMeaning } from '../../../../../test/support/judged-meanings.js';
import { giveVectors, localMeanings } from '../../../../../test/support/local-meanings.js';
import { loadPrecedents } from '../../../../../test/support/precedent-rows.js';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { createPrecedents, createPrecedentStore } from '../create-precedents.js';

const { precedents, queries } = judgedMeanings();
const AT = 5;
type Search = (query: JudgedMeaning) => Promise<readonly string[]>;

/** The part of the known answers among the first five, on average. */
async function recall(search: Search): Promise<number> {
  const parts = await Promise.all(
    queries.map(async (query) => {
      const found = (await search(query)).slice(0, AT);
      return query.answers.filter((id) => found.includes(id)).length / query.answers.length;
    }),
  );
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

describe('questions that share the meaning of a goal, and none of its words', () => {
  let db: TestDatabase;
  let searching: (meanings: typeof localMeanings | null) => Search;

  beforeAll(async () => {
    db = await testDatabase();
    const tenant = await makeTenant(db.uow, 'judged');
    await db.uow.run(tenant, (tx) => loadPrecedents(tx, precedents));
    await giveVectors(db.uow, tenant);
    // As autovacuum does in a database that grew.
    await db.owner.query('analyze precedent, precedent_term, precedent_trait, precedent_gram, precedent_vector');
    searching = (meanings) => {
      const { findPrecedents } = createPrecedents({
        uow: db.uow,
        rows: createPrecedentStore(),
        ...(meanings === null ? {} : { meanings }),
      });
      const nothing = { tools: [], environment: null, argumentKeys: [], targets: [] };
      return async ({ text }) =>
        (await findPrecedents.search(samplePerson(tenant), { text, ...nothing }, AT)).hits.map(
          ({ precedent }) => precedent.id ?? '',
        );
    };
  }, 60_000);
  afterAll(() => db.close());

  it('are answered with an embedder, and neither without one nor by MiniSearch', async () => {
    const mini = new MiniSearch({ fields: ['goal'] });
    mini.addAll(precedents);
    const theirs: Search = ({ text }) =>
      Promise.resolve(mini.search(text, { fuzzy: 0.2, prefix: true }).map(({ id }) => id as string));
    expect(queries.length).toBeGreaterThan(40);
    const [withVectors, without, mini5] = [
      await recall(searching(localMeanings)),
      await recall(searching(null)),
      await recall(theirs),
    ];
    expect(withVectors).toBeGreaterThan(0.95);
    expect(without).toBeLessThan(0.2);
    expect(mini5).toBeLessThan(0.2);
  });
});
