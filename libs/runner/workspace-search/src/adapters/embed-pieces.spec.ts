import { EmbedderFailedError } from '#lib/embedding';
import { EmbedPieces } from './embed-pieces.js';

const piecesOf = (count: number, strange: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, id) => ({
    ...{ id, key: `key ${String(id)}` },
    text: () => Promise.resolve(strange[id] ?? `part ${String(id)}`),
  }));

/** A session whose embedder takes time as a test says, by a clock that moves with its answers alone. */
function session(takesMs: (texts: readonly string[]) => number) {
  const vectors = new Map<string, Int8Array>();
  const requests: (readonly string[])[] = [];
  let now = 0;
  let batch = 32;
  let late: string | null = null;
  const ask = (texts: readonly string[], waitMs: number): Promise<readonly Float32Array[]> => {
    requests.push(texts);
    const takes = takesMs(texts);
    now += Math.min(takes, waitMs);
    if (takes > waitMs) return Promise.reject(new EmbedderFailedError('late', 'Too late.'));
    if (texts.some((text) => text.startsWith('endless')))
      return Promise.reject(new EmbedderFailedError('rejected', 'It answered 400.'));
    return Promise.resolve(texts.map(() => Float32Array.of(1, 0)));
  };
  /** @returns the sizes of the requests for pieces, and how the call failed. */
  const call = async (ms: number, pieces: ReturnType<typeof piecesOf>) => {
    const embedding = new EmbedPieces(vectors, { ask, now: () => now, until: now + ms }, batch, late);
    await embedding.question('question');
    const before = requests.length;
    const failure = await embedding.give(pieces, 2).then(
      () => null,
      (problem: unknown) => problem,
    );
    ({ batch, late } = embedding);
    return { sizes: requests.slice(before).map((texts) => texts.length), failure };
  };
  return { vectors, requests, call, batch: () => batch };
}

const tooLate = expect.objectContaining({ failure: 'late' }) as unknown;

describe('texts of a request', () => {
  it('are half as many after each late answer, in later calls too, and more once the embedder is quick', async () => {
    let most = 10;
    const { call, vectors } = session((texts) => (texts.length > most ? 60_000 : 1));
    const pieces = piecesOf(40);
    expect(await call(4_000, pieces)).toEqual({ sizes: [32], failure: tooLate });
    expect(await call(4_000, pieces)).toEqual({ sizes: [16], failure: tooLate });
    const third = await call(4_000, pieces);
    expect(third).toEqual({ sizes: [8, 16], failure: tooLate });
    most = 40;
    expect(await call(4_000, pieces)).toEqual({ sizes: [16, 16], failure: null });
    expect(vectors.size).toBe(40);
  });

  it('stay as many if the end of the call alone cuts an answer off', async () => {
    const { call, vectors, batch } = session(() => 2_000);
    const pieces = piecesOf(300);
    for (let turn = 1; turn <= 4; turn += 1) {
      expect(await call(7_500, pieces)).toEqual({ sizes: [32, 32, 32], failure: tooLate });
      expect([batch(), vectors.size]).toEqual([32, turn * 64]);
    }
  });
});

describe('a text that the embedder works on for too long', () => {
  const isStuck = (texts: readonly string[]) => texts.some((text) => text.startsWith('stuck'));

  it('keeps no other one from its vector, and is not asked about again', async () => {
    const { call, vectors } = session((texts) => (isStuck(texts) ? 60_000 : 1));
    const pieces = piecesOf(3, { 0: 'stuck' });
    expect(await call(60_000, pieces)).toMatchObject({ failure: null });
    expect([...vectors].map(([key, [first]]) => [key, first])).toEqual([
      ['key 0', 0],
      ['key 1', 127],
      ['key 2', 127],
    ]);
    expect(await call(60_000, pieces)).toEqual({ sizes: [], failure: null });
  });

  it('keeps no other one from its vector, though no call has time for a whole wait', async () => {
    const { call, vectors } = session((texts) => (isStuck(texts) ? 60_000 : 1));
    const pieces = piecesOf(3, { 0: 'stuck' });
    expect(await call(4_000, pieces)).toEqual({ sizes: [3], failure: tooLate });
    expect(await call(4_000, pieces)).toEqual({ sizes: [1], failure: tooLate });
    expect(vectors.size).toBe(0);
    expect(await call(4_000, pieces)).toEqual({ sizes: [1], failure: null });
    expect(await call(4_000, pieces)).toEqual({ sizes: [1, 1], failure: null });
    expect([...vectors.values()].map(([first]) => first)).toEqual([0, 127, 127]);
  });

  it('waits as long as only the end of a call cuts its answer off', async () => {
    const { call, vectors } = session((texts) => (isStuck(texts) ? 60_000 : texts[0] === 'part 0' ? 3_000 : 1));
    const pieces = piecesOf(2, { 1: 'stuck' });
    await call(4_000, pieces);
    expect(await call(3_500, pieces)).toEqual({ sizes: [1, 1], failure: tooLate });
    expect(await call(4_000, pieces)).toEqual({ sizes: [1], failure: tooLate });
    expect(vectors.size).toBe(1);
  });

  it('waits if the embedder answers nothing any more', async () => {
    let isGone = false;
    const { call, vectors } = session((texts) => {
      isGone ||= isStuck(texts);
      return isGone ? 60_000 : 1;
    });
    expect(await call(60_000, piecesOf(3, { 0: 'stuck' }))).toMatchObject({ failure: tooLate });
    expect(vectors.size).toBe(0);
  });

  it('has those before it sent no more often, one by one', async () => {
    const { call, requests, vectors } = session((texts) => (texts[0] === 'part 2' ? 60_000 : 1));
    expect(await call(60_000, piecesOf(4, { 3: 'endless' }))).toMatchObject({ failure: null });
    const parts = ['part 0', 'part 1', 'part 2', 'endless'];
    expect(requests).toEqual([['question'], parts, ['part 0'], ['part 1'], ['part 2'], ['question'], ['endless']]);
    expect([...vectors.values()].map(([first]) => first)).toEqual([127, 127, 0, 0]);
  });
});
