import { EmbedderFailedError } from '#lib/embedding';
import { newId, type ConnectionId } from '#lib/kernel';
import { FakeConnections } from '../../../connection/src/application/fake-connections.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import type { EmbedderAnswer } from './ask-tenant-embedder.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import { FakeEmbedderWork } from './fake-embedder-work.js';
import { FindVector } from './find-vector.js';

const given = (...vector: readonly number[]): EmbedderAnswer => givenBy(1, ...vector);
const givenBy = (generation: number, ...vector: readonly number[]): EmbedderAnswer => ({
  ok: true,
  value: { generation, vectors: [Float32Array.from(vector)] },
});
const failed = (retryAfterMs: number | null): EmbedderAnswer => ({
  ok: false,
  error: new EmbedderFailedError('unavailable', 'It answered 503.', retryAfterMs),
});

/** A tenant with an embedder that answers when a test says so. */
async function finding(waitMs: number) {
  const { uow, home } = fakeClockedWorld();
  const embedders = new FakeConnections<EmbedderSettings>(uow);
  const work = new FakeEmbedderWork(uow, embedders);
  const id = newId<ConnectionId>();
  const settings = { url: 'https://models.example.com/v1', ca: null, model: 'one', dimensions: null };
  const save = (generation: number) =>
    uow.run(home.tenantId, async (tx) => {
      await embedders.save(tx, { id, settings, generation, createdBy: home.owner.personId, createdAt: 0 });
      await work.begin(tx, id);
      await work.saveLeast(tx, { id, generation }, 0.4);
    });
  await save(1);
  const asked: { readonly text: string; readonly answer: (answer: EmbedderAnswer | null) => void }[] = [];
  const finder = new FindVector(
    uow,
    work,
    {
      execute: (_tenant, [text = '']) =>
        new Promise((resolve) => {
          asked.push({ text, answer: resolve });
        }),
    },
    waitMs,
  );
  const note = (error: string | null) =>
    uow.run(home.tenantId, (tx) => embedders.note(tx, { id, generation: 1 }, error));
  return {
    ...{ asked, save, note },
    /** As an answer is, whose failure is noted first. */
    fail: async (nth: number, retryAfterMs: number | null) => {
      await note('It answered 503.');
      asked[nth]?.answer(failed(retryAfterMs));
    },
    find: (text: string) => finder.execute(home.tenantId, text),
    remove: () => uow.run(home.tenantId, (tx) => embedders.remove(tx)),
  };
}

/** Every promise that is resolved has told so by then. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the vector of a question', () => {
  it('is asked for once, and then known, until the embedder is another one', async () => {
    const { asked, find, save } = await finding(10_000);
    const [one, two] = [find(' restart it '), find('restart it')];
    await settled();
    expect(asked.map(({ text }) => text)).toEqual(['restart it']);
    asked[0]?.answer(given(0.6, 0.8));
    const vector = { generation: 1, vector: Float32Array.of(0.6, 0.8), least: 0.4 };
    expect([await one, await two, await find('restart it')]).toEqual([vector, vector, vector]);
    expect(asked).toHaveLength(1);
    await save(2);
    const later = find('restart it');
    await settled();
    asked[1]?.answer(givenBy(2, 1, 0));
    expect(await later).toMatchObject({ generation: 2 });
  });

  it('is null if another model gave it, after a change of the embedder', async () => {
    const { asked, find } = await finding(10_000);
    const one = find('restart it');
    await settled();
    asked[0]?.answer(givenBy(2, 1, 0));
    expect(await one).toBeNull();
    const two = find('restart it');
    await settled();
    asked[1]?.answer(given(0.6, 0.8));
    expect(await two).toMatchObject({ vector: Float32Array.of(0.6, 0.8) });
  });

  it('is not waited for beyond a bound, and serves the next question', async () => {
    const { asked, find } = await finding(20);
    expect(await find('restart it')).toBeNull();
    asked[0]?.answer(given(1, 0));
    await settled();
    expect(await find('restart it')).toMatchObject({ vector: Float32Array.of(1, 0) });
    expect(asked).toHaveLength(1);
  });

  it('is not asked for after a failure, for a while', async () => {
    const { asked, find, fail } = await finding(10_000);
    const one = find('restart it');
    await settled();
    await fail(0, null);
    expect(await one).toBeNull();
    expect(await find('another question')).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('is asked for at once if the embedder answered meanwhile: a test of its admin, or a worker', async () => {
    const { asked, find, fail, note } = await finding(10_000);
    const one = find('restart it');
    await settled();
    await fail(0, null);
    expect(await one).toBeNull();
    await note(null);
    const two = find('restart it');
    await settled();
    asked[1]?.answer(given(1, 0));
    expect(await two).not.toBeNull();
  });

  it('is asked for again after the wait that the embedder names', async () => {
    const { asked, find, fail } = await finding(10_000);
    const one = find('restart it');
    await settled();
    await fail(0, 0);
    expect(await one).toBeNull();
    const two = find('restart it');
    await settled();
    asked[1]?.answer(given(1, 0));
    expect(await two).not.toBeNull();
  });

  it('is asked for again after ten minutes, even if the embedder names a year', async () => {
    const { asked, find, fail } = await finding(10_000);
    const one = find('restart it');
    await settled();
    await fail(0, 365 * 24 * 3_600_000);
    expect(await one).toBeNull();
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 601_000);
    const two = find('restart it');
    await settled();
    now.mockRestore();
    asked[1]?.answer(given(1, 0));
    expect(await two).not.toBeNull();
  });

  it('is asked for eight at a time, and no more wait', async () => {
    const { asked, find } = await finding(10_000);
    const all = Array.from({ length: 9 }, (_, index) => find(`question ${String(index)}`));
    await settled();
    expect(asked).toHaveLength(8);
    expect(await Promise.race(all)).toBeNull();
    for (const { answer } of asked) answer(given(1, 0));
    expect((await Promise.all(all)).filter((each) => each === null)).toHaveLength(1);
  });

  it('is null without an embedder, and without words', async () => {
    const { asked, find, remove } = await finding(10_000);
    expect(await find('  ')).toBeNull();
    await remove();
    expect(await find('restart it')).toBeNull();
    expect(asked).toHaveLength(0);
  });
});
