import { makeTenant } from '../../../../../test/database/arrange.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { keepPrecedent, type InventedPrecedent } from '../../../../../test/support/precedent-rows.js';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { TenantId } from '#lib/kernel';
import type { Question } from '../application/precedent.ports.js';
import { createPrecedents, createPrecedentStore } from '../create-precedents.js';

const SHAPE = { tools: ['rollout'], environment: 'production', argumentKeys: ['image', 'targets'] };
const NOTHING = { tools: [], environment: null, argumentKeys: [], targets: [] };

describe('the words that explain a hit', () => {
  let db: TestDatabase;
  let tenant: TenantId;
  let rollout: string;
  beforeAll(async () => {
    db = await testDatabase();
    tenant = await makeTenant(db.uow, 'acme');
    const keep = (one: Partial<InventedPrecedent>): Promise<string> =>
      db.uow.run(tenant, (tx) =>
        keepPrecedent(tx, {
          ...{ goal: '', tools: ['rollout'], environment: 'production', arguments: ['image', 'targets'] },
          ...one,
        }),
      );
    rollout = await keep({
      goal: 'bring the canary servers to web-2026.11, before the batteries are replaced by (c++[11]',
      targets: ['web-40', 'web-41'],
    });
    for (const goal of ['restart the servers', 'look at the servers', 'drain the servers', 'count'])
      await keep({ goal, tools: [goal.slice(0, 5)], environment: 'staging', arguments: [] });
  });
  afterAll(() => db.close());

  const equalOf = async (question: Partial<Omit<Question, 'except'>>): Promise<readonly string[] | undefined> => {
    const { findPrecedents } = createPrecedents({ uow: db.uow, rows: createPrecedentStore() });
    const { hits } = await findPrecedents.search(samplePerson(tenant), { ...NOTHING, text: '', ...question }, 10);
    return hits.find(({ precedent }) => precedent.id === rollout)?.equal;
  };

  it.each([
    ['a name as a whole, and not by its parts', 'web-2026.08', ['a spelling similar to web-2026.08: web-2026.11']],
    ['targets that are spelt alike', 'web-42', ['a spelling similar to web-42: web-40, web-41']],
    ['a name with a number by its parts, if nothing else is equal', 'zone-9.web', ['the word web']],
    ['a word with a hyphen by its parts', 'canary-zebra', ['the word canary']],
    ['a word with its ending, and not the stem', 'replacd', ['a spelling similar to replacd: replaced']],
    ['a word whose stem ends in i', 'bateries', ['a spelling similar to bateries: batteries']],
    ['a name that is no pattern', 'c++[12', ['a spelling similar to c++[12: c++[11']],
    ['a word in another form', '(Replacing)', ['the word replacing']],
    ['a word that many precedents have, if nothing else is equal', 'servers', ['the word servers']],
    ['no word that many have beside a rarer one', 'canary servers', ['the word canary']],
  ])('are %s', async (_what, text, equal) => {
    expect(await equalOf({ text })).toEqual(equal);
  });

  it('leave out common words if the shape is equal', async () => {
    const text = 'bring the servers from web-01 to web-2026.08';
    expect(await equalOf({ ...SHAPE, text, goal: text })).toEqual([
      'the same tools, environment and arguments',
      'the word bring',
    ]);
  });
});
