import { rmSync } from 'node:fs';
import { sampleAgent, samplePerson } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { createPrecedents, createPrecedentStore } from '../../libs/evidence/precedent/src/create-precedents.js';
import { searchWorkspace } from '../../libs/runner/workspace-search/src/adapters/search-workspace.js';
import type { AgentId } from '#lib/kernel';
import { makeTenant } from '../database/arrange.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { JUDGED_AGENT, judgedSet, type JudgedQuery } from '../support/judged-precedents.js';
import { AT, layOutWorkspace, rankOf, recall, workspaceQuestions } from '../support/judged-workspace.js';
import { giveVectors, meaningsBy } from '../support/local-meanings.js';
import { modelEmbedder, type ModelEmbedder } from '../support/model-embedder.js';
import { paraphrasedGoals } from '../support/paraphrased-goals.js';
import { loadPrecedents } from '../support/precedent-rows.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';

const PARAPHRASES = 'paraphrases';

let model: ModelEmbedder;
beforeAll(async () => {
  model = await modelEmbedder();
}, 300_000);
afterAll(() => model.close());

/** Of each class, the recall without vectors and with them. */
type Judged = Readonly<Record<string, readonly [without: number, withVectors: number]>>;

/** No class may lose by vectors, and paraphrases are what they are for. */
function expectToGain(judged: Judged): void {
  const shown = Object.fromEntries(
    Object.entries(judged).map(([class_, pair]) => [class_, pair.map((part) => part.toFixed(3)).join(' → ')]),
  );
  process.stderr.write(`${JSON.stringify(shown, null, 2)}\n`);
  expect(Object.entries(judged).filter(([, [without, withVectors]]) => withVectors < without)).toEqual([]);
  const [without = 1, withVectors = 0] = judged[PARAPHRASES] ?? [];
  expect(withVectors).toBeGreaterThan(without + 0.2);
}

describe('precedents with the vectors of a real model', () => {
  let db: TestDatabase;
  afterAll(() => db.close());

  it('are found at the first five no worse in any class, and better by words and paraphrases', async () => {
    db = await testDatabase();
    const tenant = await makeTenant(db.uow, 'judged');
    const { precedents, queries } = judgedSet();
    const all = [...precedents, ...paraphrasedGoals.map(({ precedent }) => precedent)];
    await db.uow.run(tenant, (tx) => loadPrecedents(tx, all));
    await giveVectors(db.uow, tenant, 1, (texts) => model.embed(texts));
    const meanings = await meaningsBy((texts) => model.embed(texts));
    const person = samplePerson(tenant);
    const agent = { ...sampleAgent(person), agentId: JUDGED_AGENT as AgentId };
    const open = { tools: [], environment: null, argumentKeys: [], targets: [] };
    const classes: Readonly<Record<string, readonly JudgedQuery[]>> = {
      ...queries,
      [PARAPHRASES]: paraphrasedGoals.map(({ ask, precedent: { id } }) => ({ text: ask, ...open, answers: [id] })),
    };
    const recallOf = async (asked: readonly JudgedQuery[], by: typeof person | typeof agent, vectors: boolean) => {
      const { findPrecedents } = createPrecedents({
        uow: db.uow,
        rows: createPrecedentStore(),
        ...(vectors ? { meanings } : {}),
      });
      let sum = 0;
      for (const query of asked) {
        const { hits } = await findPrecedents.search(by, query, AT);
        const found = hits.map(({ precedent: { id } }) => id);
        sum += query.answers.filter((id) => found.includes(id)).length / query.answers.length;
      }
      return sum / asked.length;
    };
    const judged: Record<string, readonly [number, number]> = {};
    for (const [class_, asked] of Object.entries(classes)) {
      const by = class_ === 'agents' ? agent : person;
      judged[class_] = [await recallOf(asked, by, false), await recallOf(asked, by, true)];
    }
    expectToGain(judged);
  }, 580_000);
});

describe('a workspace with the vectors of a real model', () => {
  const { job, base } = layOutWorkspace();
  afterAll(() => {
    rmSync(base, { recursive: true });
  });

  it('has its code found at the first five no worse in any class, and better by paraphrases', async () => {
    const embedder = { ...model.address, ca: TEST_AUTHORITY };
    const search = (query: string, vectors: boolean) =>
      searchWorkspace({ ...job, query, ...(vectors ? { embedder } : {}) }, new AbortController().signal);
    // A call asks for vectors until its time is over, and the next call goes on.
    for (let waiting = 1; waiting > 0;) waiting = (await search('parcel', true)).meaning?.waiting ?? 0;
    const judged: Record<string, readonly [number, number]> = {};
    const classes = { ...workspaceQuestions('questions.json'), ...workspaceQuestions('paraphrases.json') };
    for (const [class_, asked] of Object.entries(classes)) {
      const ranksOf = async (vectors: boolean): Promise<(number | null)[]> => {
        const ranks: (number | null)[] = [];
        for (const question of asked) {
          const { results, ranked_by: ranked } = await search(question.ask, vectors);
          expect(ranked.endsWith('meaning')).toBe(vectors);
          const found = results.map(({ path, first_line: first, last_line: last }) => ({ path, first, last }));
          ranks.push(rankOf(question, found));
        }
        return ranks;
      };
      judged[class_] = [recall(await ranksOf(false)), recall(await ranksOf(true))];
    }
    expectToGain(judged);
  }, 580_000);
});
