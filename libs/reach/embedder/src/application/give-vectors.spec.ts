import { EmbedderFailedError } from '#lib/embedding';
import { newId, type ConnectionId } from '#lib/kernel';
import { unitVectorOf } from '../../../../../test/support/local-meanings.js';
import { FakeConnections } from '../../../connection/src/application/fake-connections.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { createEmbedder } from '../create-embedder.js';
import type { WantedText } from './embedder.ports.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import { FakeEmbedderWork } from './fake-embedder-work.js';
import { FakeVectorsWanted } from './fake-vectors-wanted.js';

const id = newId<ConnectionId>();
const textsOf = (count: number, word = 'text'): WantedText[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${word}-${String(index)}`, text: `${word} ${String(index)}` }));

/** By its id, whether the embedder rejected a text. */
const rejected = (kept: ReturnType<FakeVectorsWanted['vectors']>) =>
  Object.fromEntries([...kept].map(([text, { vector }]) => [text, vector === null]));

/** A tenant with texts, and an embedder that fails as a test says. */
async function giving(texts: readonly WantedText[]) {
  const { uow, home, pass } = fakeClockedWorld();
  const embedders = new FakeConnections<EmbedderSettings>(uow);
  const work = new FakeEmbedderWork(uow, embedders);
  const inTx = <T>(work: (tx: Parameters<Parameters<typeof uow.run>[1]>[0]) => Promise<T>): Promise<T> =>
    uow.run(home.tenantId, work);
  const save = (generation: number) =>
    inTx(async (tx) => {
      const settings = { url: 'https://models.example.com/v1', ca: null, model: 'one', dimensions: null };
      await embedders.save(tx, { id, settings, generation, createdBy: home.owner.personId, createdAt: 0 });
      await work.begin(tx, id);
    });
  await save(1);
  const wanted = new FakeVectorsWanted(uow);
  const add = (...newer: readonly WantedText[]) => {
    for (const text of newer) wanted.put(home, text);
  };
  // A worker takes the newest first.
  add(...texts.toReversed());
  const requests: (readonly string[])[] = [];
  const answering = {
    fails: (_texts: readonly string[]): EmbedderFailedError | null => null,
    vector: (text: string) => unitVectorOf(text),
    meanwhile: (_texts: readonly string[]): Promise<void> => Promise.resolve(),
  };
  const { giveVectors: vectors } = createEmbedder({
    ...{ uow, rows: { connections: embedders, work } },
    client: {
      ask: async (_tenant, { texts: asked }) => {
        requests.push(asked);
        await answering.meanwhile(asked);
        const failure = answering.fails(asked);
        if (failure !== null) throw failure;
        return asked.map(answering.vector);
      },
    },
    ...{ audit: new FakeAuditSink(uow), twoPersonRule: new FakeTwoPersonRule(uow) },
    mayConnect: () => Promise.resolve('public'),
  }).worksFor(wanted);
  return {
    kept: () => wanted.vectors(home),
    ...{ add, requests, answering, save, pass },
    give: () => vectors.execute(home.tenantId, id),
    remove: () => inTx((tx) => embedders.remove(tx)),
    found: () => inTx((tx) => embedders.find(tx)),
    least: () => inTx(async (tx) => (await work.known(tx))?.least),
    isDue: () => inTx(async (tx) => (await work.claim(tx, id, 0)) !== null),
  };
}

describe('the vectors of a tenant’s texts', () => {
  it('come in batches, after the embedder was measured', async () => {
    const { give, kept, requests, least, isDue } = await giving(textsOf(20));
    expect(await give()).toBe(0);
    expect(await least()).toBeGreaterThan(0);
    expect(requests.map((texts) => texts.length)).toEqual([12, 16]);
    expect(await give()).toBeNull();
    expect(requests.map((texts) => texts.length)).toEqual([12, 16, 4]);
    expect([...kept().values()].filter(({ vector }) => vector !== null)).toHaveLength(20);
    expect(await isDue()).toBe(false);
    expect(await give()).toBeNull();
    expect(requests).toHaveLength(3);
  });

  it('are made anew for another generation', async () => {
    const { give, kept, save } = await giving(textsOf(3));
    await give();
    await save(2);
    await give();
    expect([...kept().values()].map(({ generation }) => generation)).toEqual([2, 2, 2]);
  });

  it('lack a text that the embedder rejects, and no other one', async () => {
    const { give, kept, answering, found } = await giving([
      ...textsOf(2),
      ...textsOf(1, 'endless'),
      ...textsOf(2, 'more'),
    ]);
    answering.fails = (texts) =>
      texts.some((text) => text.startsWith('endless')) ? new EmbedderFailedError('rejected', 'It answered 400.') : null;
    expect(await give()).toBeNull();
    expect(rejected(kept())).toEqual({
      'text-0': false,
      'text-1': false,
      'endless-0': true,
      'more-0': false,
      'more-1': false,
    });
    expect((await found())?.error).toBeNull();
  });

  it('lack a text that the embedder works on for too long, and no other one', async () => {
    const { give, kept, answering, found, pass } = await giving([...textsOf(1, 'stuck'), ...textsOf(2)]);
    answering.fails = (texts) =>
      texts.some((text) => text.startsWith('stuck')) ? new EmbedderFailedError('late', 'Too late.') : null;
    for (let turn = 0; turn < 6; turn += 1) {
      await give();
      await pass(600_000);
    }
    expect(rejected(kept())).toEqual({ 'stuck-0': true, 'text-0': false, 'text-1': false });
    expect((await found())?.error).toBeNull();
  });

  it('are waited for where the embedder answers too late to every text', async () => {
    const { give, kept, answering, pass } = await giving(textsOf(1));
    answering.fails = (texts) => (texts.length === 12 ? null : new EmbedderFailedError('late', 'Too late.'));
    await give();
    await pass(600_000);
    await give();
    expect(kept().size).toBe(0);
    await pass(600_000);
    answering.fails = () => null;
    await give();
    expect([...kept().values()].map(({ vector }) => vector === null)).toEqual([false]);
  });

  it('come to a text that was late once alone', async () => {
    const { give, kept, answering, pass } = await giving(textsOf(1));
    answering.fails = (texts) => (texts[0] === 'text 0' ? new EmbedderFailedError('late', 'Too late.') : null);
    await give();
    expect(kept().size).toBe(0);
    answering.fails = () => null;
    await pass(600_000);
    await give();
    expect([...kept().values()].map(({ vector }) => vector === null)).toEqual([false]);
  });

  it('come to each text that was late once alone, a newer one, too', async () => {
    const { give, kept, answering, pass, add } = await giving(textsOf(1));
    answering.fails = ([text]) => (text?.endsWith('0') === true ? new EmbedderFailedError('late', 'Too late.') : null);
    await give();
    add(...textsOf(1, 'newer'));
    for (let turn = 0; turn < 2; turn += 1) {
      await pass(600_000);
      await give();
      if (turn === 0) add(...textsOf(1, 'newest'));
    }
    expect(kept().size).toBe(0);
    answering.fails = () => null;
    for (let turn = 0; turn < 3; turn += 1) {
      await pass(600_000);
      await give();
    }
    expect([...kept().values()].map(({ vector }) => vector === null)).toEqual([false, false, false]);
  });

  it('wait longer with each failure, and as long as the embedder asks', async () => {
    const { give, kept, answering, isDue, pass, found } = await giving(textsOf(1));
    answering.fails = () => new EmbedderFailedError('unavailable', 'It answered 503.');
    await give();
    expect(await isDue()).toBe(false);
    await pass(5_000);
    await give();
    await pass(5_000);
    expect(await isDue()).toBe(false);
    expect(await found()).toMatchObject({ error: 'It answered 503.' });
    await pass(5_000);
    answering.fails = () => new EmbedderFailedError('limited', 'It answered 429.', 60_000);
    await give();
    await pass(59_000);
    expect(await isDue()).toBe(false);
    await pass(1_000);
    answering.fails = () => null;
    await give();
    expect(kept().size).toBe(1);
    expect(await found()).toMatchObject({ error: null });
  });

  it('come in smaller batches from an embedder that answers too late, down to one text, and in larger ones again', async () => {
    const { give, kept, requests, answering, pass, least } = await giving(textsOf(20));
    let most = 1;
    answering.fails = (texts) => (texts.length > most ? new EmbedderFailedError('late', 'Too late.') : null);
    const sizesOfTurn = async (): Promise<readonly number[]> => {
      const before = requests.length;
      if ((await give()) !== 0) await pass(600_000);
      return requests.slice(before).map((texts) => texts.length);
    };
    expect([await sizesOfTurn(), await sizesOfTurn(), await sizesOfTurn()]).toEqual([[12], [6], [3]]);
    expect(await sizesOfTurn()).toEqual(Array.from({ length: 13 }, () => 1));
    expect(kept().size).toBe(1);
    expect(await least()).toBeGreaterThan(0);
    most = 16;
    expect([await sizesOfTurn(), await sizesOfTurn(), await sizesOfTurn()]).toEqual([[2], [4], [8]]);
    expect(await sizesOfTurn()).toEqual([5]);
    expect(kept().size).toBe(20);
  });

  it('are refused from a model that hardly tells meanings apart', async () => {
    const { give, kept, answering, found, least, isDue } = await giving(textsOf(1));
    answering.vector = () => Float32Array.of(1, 0);
    expect(await give()).toBeNull();
    expect(kept().size).toBe(0);
    expect(await found()).toMatchObject({ error: 'The model tells meanings hardly apart. Name another one.' });
    expect(await least()).toBeNull();
    expect(await isDue()).toBe(false);
  });

  it('are absent if the embedder rejects every text, and the admin reads the reason', async () => {
    const { give, kept, answering, found, least } = await giving(textsOf(1));
    answering.fails = () => new EmbedderFailedError('rejected', 'It answered 400. No such model.');
    expect(await give()).toBeNull();
    expect(kept().size).toBe(0);
    expect(await found()).toMatchObject({ error: 'It answered 400. No such model.' });
    expect(await least()).toBeNull();
  });

  it('are waited for where the embedder rejects every text only later', async () => {
    const { give, kept, answering, found, pass } = await giving(textsOf(2));
    answering.fails = (texts) => (texts.length === 12 ? null : new EmbedderFailedError('rejected', 'It answered 400.'));
    expect(await give()).toBeNull();
    expect(kept().size).toBe(0);
    expect(await found()).toMatchObject({ error: 'It answered 400.' });
    await pass(5_000);
    answering.fails = () => null;
    await give();
    expect(kept().size).toBe(2);
  });

  it.each(['removed', 'named anew'] as const)('are dropped if the embedder was %s while it worked', async (what) => {
    const { give, kept, answering, remove, save } = await giving(textsOf(1));
    answering.meanwhile = (texts) => (texts.length > 1 ? Promise.resolve() : what === 'removed' ? remove() : save(2));
    expect(await give()).toBeNull();
    expect(kept().size).toBe(0);
  });
});
