import { makeTenant } from '../../../../../test/database/arrange.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { giveVectors, localMeanings, unitVectorOf } from '../../../../../test/support/local-meanings.js';
import { keepPrecedent, type InventedPrecedent } from '../../../../../test/support/precedent-rows.js';
import { sqlOf } from '#lib/database';
import { newId, type AgentId, type Principal, type TenantId } from '#lib/kernel';
import { sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { createPrecedents, createPrecedentStore } from '../create-precedents.js';
import { SqlPrecedentVectors } from './sql-precedent-vectors.js';

const NOTHING = { tools: [], environment: null, argumentKeys: [], targets: [] };
const mine = newId<AgentId>();
const vectors = new SqlPrecedentVectors();

let db: TestDatabase;
let tenant: TenantId;
const ids = { cert: '', queue: '', disk: '', other: '' };

const playbook = (goal: string, more: Partial<InventedPrecedent> = {}): InventedPrecedent => ({
  ...{ goal, tools: ['run_playbook'], environment: 'production', ...more },
});
const search = (by: Principal, text: string, meanings: typeof localMeanings | null = localMeanings) =>
  createPrecedents({
    uow: db.uow,
    rows: createPrecedentStore(),
    ...(meanings === null ? {} : { meanings }),
  }).findPrecedents.search(by, { text, ...NOTHING }, 10);
const hitsOf = async (by: Principal, text: string): Promise<readonly string[]> =>
  (await search(by, text)).hits.map(({ precedent }) => precedent.id ?? '');
const waiting = (generation = 1): Promise<readonly string[]> =>
  db.uow.run(tenant, async (tx) => (await vectors.without(tx, generation, 100)).map(({ id }) => id));
const kept = async (): Promise<readonly string[]> => {
  const { rows } = await db.owner.query<{ id: string }>(
    'select precedent_id as id from precedent_vector where tenant_id = $1 order by id',
    [tenant],
  );
  return rows.map(({ id }) => id);
};
const person = () => samplePerson(tenant);
const agent = () => ({ ...sampleAgent(person()), agentId: mine });

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  tenant = await makeTenant(db.uow, `acme-${newId().slice(-12)}`);
  await db.uow.run(tenant, async (tx) => {
    ids.cert = await keepPrecedent(tx, playbook('Replacing expired certificates', { agentId: mine }));
    ids.queue = await keepPrecedent(tx, playbook('Draining the broker', { agentId: newId() }));
    ids.disk = await keepPrecedent(tx, playbook('Extend the volume', { agentId: newId() }));
  });
  await giveVectors(db.uow, tenant);
});
afterAll(() => db.close());

describe('precedents by meaning', () => {
  it('are found without a shared word, and say so', async () => {
    const { hits, searchedBy } = await search(person(), 'swap the x509');
    expect(hits.map(({ precedent }) => precedent.id)).toEqual([ids.cert]);
    expect(hits[0]).toMatchObject({ equal: ['a similar meaning'], ranks: { words: null, meaning: 1 } });
    expect(searchedBy).toBe('words, structure and meaning');
  });

  it('are not found without an embedder, which the answer tells', async () => {
    const without = { hits: [], searchedBy: 'words and structure' };
    expect(await search(person(), 'swap the x509', null)).toMatchObject(without);
    const silent = { execute: () => Promise.resolve(null) };
    expect(await search(person(), 'swap the x509', silent)).toMatchObject(without);
  });

  it('are found by words alone if no goal is similar', async () => {
    expect(await hitsOf(person(), 'giraffes')).toEqual([]);
    expect(await hitsOf(person(), 'expired giraffes')).toEqual([ids.cert]);
  });

  it('are an agent’s own alone', async () => {
    expect(await hitsOf(agent(), 'swap the x509')).toEqual([ids.cert]);
    expect(await hitsOf(agent(), 'empty the backlog')).toEqual([]);
    expect(await hitsOf(person(), 'empty the backlog')).toEqual([ids.queue]);
  });

  it('are never another tenant’s', async () => {
    const stranger = await makeTenant(db.uow, `other-${newId().slice(-12)}`);
    expect(await hitsOf(samplePerson(stranger), 'swap the x509')).toEqual([]);
    const meaning = { generation: 1, vector: unitVectorOf('swap the x509'), least: 0.1 };
    expect(await db.uow.run(stranger, (tx) => vectors.alike(tx, meaning, null, null))).toEqual([]);
    expect(await db.uow.run(tenant, (tx) => vectors.alike(tx, meaning, null, null))).toHaveLength(1);
  });

  it('are compared within one generation, and made anew for another one', async () => {
    expect([await waiting(), await waiting(2)]).toEqual([[], [ids.disk, ids.queue, ids.cert]]);
    const next = {
      execute: async (...asked: Parameters<typeof localMeanings.execute>) => {
        const meaning = await localMeanings.execute(...asked);
        return meaning === null ? null : { ...meaning, generation: 2 };
      },
    };
    expect((await search(person(), 'swap the x509', next)).hits).toEqual([]);
    await giveVectors(db.uow, tenant, 2);
    expect((await search(person(), 'swap the x509', next)).hits).toHaveLength(1);
    expect(await kept()).toHaveLength(3);
  });
});

describe('the vector of a precedent', () => {
  const update = (set: string): Promise<number> =>
    db.uow.run(tenant, (tx) =>
      sqlOf(tx).execute(`update precedent set ${set} where tenant_id = $1 and id = $2`, [tenant, ids.cert]),
    );

  it('is gone in the transaction that erases the goal, and comes again with no text', async () => {
    await update('goal = null, own_words = null, said_words = null, because = null, erased_at = now()');
    expect(await kept()).toEqual([ids.queue, ids.disk].sort());
    expect(await waiting()).toEqual([]);
    expect(await hitsOf(person(), 'swap the x509')).toEqual([]);
  });

  it('is that of the goal: another goal gets another one, and other changes leave it', async () => {
    await update(`because = 'it was late'`);
    expect(await waiting()).toEqual([]);
    await update(`goal = 'Restarting the servers'`);
    expect(await waiting()).toEqual([ids.cert]);
    await giveVectors(db.uow, tenant);
    expect(await hitsOf(person(), 'bounce the machine')).toEqual([ids.cert]);
  });

  it('is not kept if the goal changed while the embedder worked', async () => {
    const [text] = await db.uow
      .run(tenant, (tx) => vectors.without(tx, 2, 100))
      .then((all) => all.filter(({ id }) => id === ids.cert));
    if (text === undefined) throw new Error('nothing waits');
    await update('goal = null, own_words = null, said_words = null, because = null, erased_at = now()');
    await db.uow.run(tenant, (tx) => vectors.keep(tx, 2, [text], [unitVectorOf(text.text)]));
    expect(await kept()).not.toContain(ids.cert);
  });

  it('is not asked for again if the embedder rejects the text', async () => {
    await db.uow.run(tenant, async (tx) => {
      const texts = await vectors.without(tx, 2, 100);
      await vectors.keep(
        tx,
        2,
        texts,
        texts.map(() => null),
      );
    });
    expect(await waiting(2)).toEqual([]);
    const meaning = { generation: 2, vector: unitVectorOf('swap the x509'), least: 0 };
    expect(await db.uow.run(tenant, (tx) => vectors.alike(tx, meaning, null, null))).toEqual([]);
  });
});
