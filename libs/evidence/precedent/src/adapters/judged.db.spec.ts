import MiniSearch from 'minisearch';
import { makeTenant } from '../../../../../test/database/arrange.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { judgedSet, type JudgedClass, type JudgedQuery } from '../../../../../test/support/judged-precedents.js';
import { keepPrecedents } from '../../../../../test/support/precedent-rows.js';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { createPrecedents } from '../create-precedents.js';

const { precedents, queries } = judgedSet();
const AT = 5;

/** The part of the known answers among the first five, on average. */
async function recall(
  class_: JudgedClass,
  search: (query: JudgedQuery) => Promise<readonly (string | null)[]>,
): Promise<number> {
  let sum = 0;
  for (const query of queries[class_]) {
    const found = (await search(query)).slice(0, AT);
    sum += query.answers.filter((id) => found.includes(id)).length / query.answers.length;
  }
  return sum / queries[class_].length;
}

describe('the judged set', () => {
  let db: TestDatabase;
  let ours: (query: JudgedQuery) => Promise<readonly (string | null)[]>;
  const FIELDS = ['goal', 'said', 'tools', 'environment', 'arguments', 'targets'];
  const mini = new MiniSearch({
    fields: FIELDS,
    extractField: (one, name) => String((one as Record<string, unknown>)[name]),
  });

  beforeAll(async () => {
    db = await testDatabase();
    const tenant = await makeTenant(db.uow, 'judged');
    await db.uow.run(tenant, (tx) => keepPrecedents(tx, precedents));
    const { findPrecedents } = createPrecedents({ uow: db.uow });
    const person = samplePerson(tenant);
    ours = async (query) => (await findPrecedents.search(person, query, AT)).hits.map(({ precedent }) => precedent.id);
    mini.addAll(precedents);
  }, 60_000);
  afterAll(() => db.close());

  const theirs = (query: JudgedQuery): Promise<readonly string[]> => {
    const { text, tools, environment, argumentKeys, targets } = query;
    const words = [text, ...tools, environment ?? '', ...argumentKeys, ...targets].join(' ');
    return Promise.resolve(mini.search(words, { fuzzy: 0.2, prefix: true }).map(({ id }) => id as string));
  };

  it.each(Object.keys(queries) as JudgedClass[])('is answered better than by MiniSearch alone: %s', async (class_) => {
    expect(queries[class_].length).toBeGreaterThan(9);
    const [we, they] = [await recall(class_, ours), await recall(class_, theirs)];
    expect(we).toBeGreaterThan(they);
  });
});
