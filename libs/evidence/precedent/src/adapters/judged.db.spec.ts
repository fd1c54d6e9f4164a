import MiniSearch from 'minisearch';
import { makeTenant } from '../../../../../test/database/arrange.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import {
  JUDGED_AGENT,
  judgedSet,
  type JudgedClass,
  type JudgedQuery,
} from '../../../../../test/support/judged-precedents.js';
import { giveVectors, localMeanings } from '../../../../../test/support/local-meanings.js';
import { loadPrecedents } from '../../../../../test/support/precedent-rows.js';
import { sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { createPrecedents, createPrecedentStore } from '../create-precedents.js';
import type { AgentId } from '#lib/kernel';

const { precedents, queries } = judgedSet();
const AT = 5;

/** The part of the known answers among the first five, on average. */
async function recall(
  class_: JudgedClass,
  search: (query: JudgedQuery, byAgent: boolean) => Promise<readonly (string | null)[]>,
): Promise<number> {
  const parts = await Promise.all(
    queries[class_].map(async (query) => {
      const found = (await search(query, class_ === 'agents')).slice(0, AT);
      return query.answers.filter((id) => found.includes(id)).length / query.answers.length;
    }),
  );
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

/** MiniSearch with all that it has, over the fields that the reader may search. */
function miniSearch(hidden: (one: (typeof precedents)[number], field: string) => boolean): MiniSearch {
  const mini = new MiniSearch({
    fields: ['goal', 'said', 'tools', 'environment', 'arguments', 'targets'],
    extractField: (one, name) => {
      // MiniSearch hands a document over as its caller's type; a field is looked up by its name.
      const value = (one as unknown as Record<string, string | readonly string[] | undefined>)[name] ?? '';
      return hidden(one as (typeof precedents)[number], name) ? '' : [value].flat().join(' ');
    },
  });
  mini.addAll(precedents);
  return mini;
}

describe('the judged set', () => {
  let db: TestDatabase;
  let ours: (query: JudgedQuery, byAgent: boolean) => Promise<readonly (string | null)[]>;
  let oursWithVectors: typeof ours;
  const forPerson = miniSearch(() => false);
  const forAgent = miniSearch(
    ({ agentId }, field) => field === 'said' || (agentId !== JUDGED_AGENT && (field === 'goal' || field === 'targets')),
  );

  beforeAll(async () => {
    db = await testDatabase();
    const tenant = await makeTenant(db.uow, 'judged');
    await db.uow.run(tenant, (tx) => loadPrecedents(tx, precedents));
    await giveVectors(db.uow, tenant);
    // As autovacuum does in a database that grew.
    await db.owner.query('analyze precedent, precedent_term, precedent_trait, precedent_gram, precedent_vector');
    const person = samplePerson(tenant);
    const agent = { ...sampleAgent(person), agentId: JUDGED_AGENT as AgentId };
    const searching = (more: Partial<Parameters<typeof createPrecedents>[0]>): typeof ours => {
      const { findPrecedents } = createPrecedents({ uow: db.uow, rows: createPrecedentStore(), ...more });
      return async (query, byAgent) =>
        (await findPrecedents.search(byAgent ? agent : person, query, AT)).hits.map(({ precedent }) => precedent.id);
    };
    [ours, oursWithVectors] = [searching({}), searching({ meanings: localMeanings })];
  }, 60_000);
  afterAll(() => db.close());

  const theirs = (query: JudgedQuery, byAgent: boolean): Promise<readonly string[]> => {
    const { text, tools, environment, argumentKeys, targets } = query;
    const words = [text, ...tools, environment ?? '', ...argumentKeys, ...targets].join(' ');
    const found = (byAgent ? forAgent : forPerson).search(words, { fuzzy: 0.2, prefix: true });
    return Promise.resolve(found.map(({ id }) => id as string));
  };

  it.each(Object.keys(queries) as JudgedClass[])('is answered better than by MiniSearch alone: %s', async (class_) => {
    expect(queries[class_].length).toBeGreaterThan(9);
    const [we, they] = [await recall(class_, ours), await recall(class_, theirs)];
    expect(we).toBeGreaterThan(they);
    expect(await recall(class_, oursWithVectors)).toBeGreaterThan(they);
  });

  it('puts one bad outcome above ten good ones', async () => {
    const ends = new Map(precedents.map(({ id, endedAs }) => [id, endedAs]));
    for (const query of queries['bad outcomes']) {
      const found = await ours(query, false);
      const above = found.slice(0, found.indexOf(query.answers[0] ?? ''));
      expect(found).toContain(query.answers[0]);
      expect(above.map((id) => ends.get(id ?? ''))).toEqual(above.map(() => 'rolled_back'));
    }
  });
});
