import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_AUTHORITY } from '../../../../../test/support/test-authority.js';
import { testEmbedder, vectorOf, type TestEmbedder } from '../../../../../test/support/test-embedder.js';
import { temporaryFolder } from '../../../workspace/src/fake-workspace.js';
import { INDEX_LIMITS, type SearchEmbedder } from '../domain/search-job.js';
import { readVectors, writeVectors } from './kept-vectors.js';
import { meaningOfPieces } from './piece-vectors.js';
import { searchWorkspace } from './search-workspace.js';

let server: TestEmbedder;
let base: string;
let root: string;
beforeAll(async () => {
  server = await testEmbedder();
});
beforeEach(() => {
  base = temporaryFolder();
  root = join(base, 'root');
  mkdirSync(root);
  [server.fails, server.rejects] = [null, null];
});
afterEach(() => {
  rmSync(base, { recursive: true });
});
afterAll(() => server.close());

const write = (path: string, content: string): void => {
  writeFileSync(join(root, path), content);
};
const ask = async (query: string, embedder: Partial<SearchEmbedder> | null = {}) => {
  const named = { url: server.url, model: 'meaning-1', dimensions: null, token: server.token, ca: TEST_AUTHORITY };
  const before = server.texts.length;
  const answer = await searchWorkspace(
    {
      ...{ root, folder: join(base, 'session'), query, path: '', language: null, most: 8, limits: INDEX_LIMITS },
      ...(embedder === null ? {} : { embedder: { ...named, ...embedder } }),
    },
    new AbortController().signal,
  );
  return { ...answer, paths: answer.results.map(({ path }) => path), sent: server.texts.slice(before) };
};

const REBOOT = 'export function one() {\n  // Restarting the servers\n}\n';
const CERT = 'export function two() {\n  // Replacing certificates\n}\n';
const WORDS = 'words, structure and spelling';
const MEANING = 'words, structure, spelling and meaning';

describe('a search with an embedder', () => {
  it('finds code that shares no word with the question, and says by which ranking', async () => {
    write('a.ts', REBOOT);
    write('b.ts', CERT);
    expect((await ask('swap the x509', null)).paths).toEqual([]);
    const found = await ask('swap the x509');
    expect(found.results[0]).toMatchObject({ path: 'b.ts', reasons: [{ ranking: 'meaning', rank: 1, terms: [] }] });
    expect(found).toMatchObject({ meaning: { pieces: 2, waiting: 0, error: null }, ranked_by: MEANING });
    expect((await ask('bounce a machine')).paths[0]).toBe('a.ts');
  });

  it('sends each piece once, and again if it changed, or for another model', async () => {
    write('a.ts', REBOOT);
    write('b.ts', CERT);
    expect((await ask('one')).sent).toEqual(['one', `a.ts\n${REBOOT.trim()}`, `b.ts\n${CERT.trim()}`]);
    expect((await ask('swap the x509')).sent).toEqual(['swap the x509']);
    write('b.ts', `${CERT}\n`.replace('certificates', 'volume'));
    const changed = await ask('enlarge the disk');
    expect(changed.sent).toHaveLength(2);
    expect(changed.paths[0]).toBe('b.ts');
    expect((await ask('one', { model: 'meaning-2' })).sent).toHaveLength(3);
    expect(readdirSync(join(base, 'session')).sort()).toEqual(['workspace-index.json', 'workspace-vectors.bin']);
  });

  it('answers by words if the embedder fails, and shows no token', async () => {
    write('a.ts', REBOOT);
    const wrong = await ask('servers', { token: 'a-wrong-token' });
    expect(wrong).toMatchObject({ paths: ['a.ts'], ranked_by: WORDS, meaning: { pieces: 0, waiting: 1 } });
    expect(wrong.meaning?.error).toMatch(/^It answered 401\. /);
    expect(JSON.stringify(wrong)).not.toContain('a-wrong-token');
    server.fails = { status: 503 };
    expect(await ask('servers')).toMatchObject({ paths: ['a.ts'], ranked_by: WORDS });
    server.fails = null;
    expect(await ask('servers')).toMatchObject({ ranked_by: MEANING, meaning: { pieces: 1, error: null } });
  });

  it('goes on beside a piece that the embedder rejects, and does not send it again', async () => {
    for (const [path, content] of [
      ['a.ts', REBOOT],
      ['b.ts', '// endless\n'],
    ] as const)
      write(path, content);
    server.rejects = 'endless';
    expect(await ask('bounce a machine')).toMatchObject({ meaning: { pieces: 2, waiting: 0, error: null } });
    expect((await ask('bounce a machine')).sent).toEqual(['bounce a machine']);
  });

  it('T32: sends no file that may hold secrets, and no secret of another one', async () => {
    write('.env', 'TOKEN=hunter2hunter2');
    write('a.ts', "connect('password=hunter2hunter2');\n");
    const { sent } = await ask('connect with password=hunter2hunter2');
    expect(sent).toHaveLength(2);
    expect(sent.join()).not.toContain('hunter2');
  });
});

describe('the vectors of a session', () => {
  it('remember how many texts the embedder answers in time, and which piece was late alone', async () => {
    const sizes: number[] = [];
    const counting = await testEmbedder(['meaning-1'], (_model, texts, dimensions) => {
      sizes.push(texts.length);
      return Promise.resolve(texts.map((one) => vectorOf(one, dimensions)));
    });
    const pieces = Array.from({ length: 12 }, (_, id) => ({
      ...{ id, key: `${'d'.repeat(64)}:${String(id)}-${String(id)}` },
      text: () => Promise.resolve(`part ${String(id)}`),
    }));
    const { url, token } = counting;
    const embedder = { url, model: 'meaning-1', dimensions: null, token, ca: TEST_AUTHORITY };
    const madeBy = JSON.stringify([url, 'meaning-1', null]);
    const call = async (of: typeof pieces) =>
      (await meaningOfPieces(base, embedder, 'part', of, performance.now() + 60_000)).state;
    try {
      await writeVectors(base, madeBy, { vectors: new Map(), batch: 8, late: 'a late piece' });
      // Fewer texts than a batch do not change its size, however long they take.
      expect(await call(pieces.slice(0, 3))).toEqual({ pieces: 3, waiting: 0, error: null });
      expect(await readVectors(base, madeBy)).toMatchObject({ batch: 8, late: 'a late piece' });
      expect(await call(pieces)).toEqual({ pieces: 12, waiting: 0, error: null });
      // Each call begins with its question.
      expect(sizes).toEqual([1, 3, 1, 8, 1]);
    } finally {
      await counting.close();
    }
  });

  it('are given anew if the header of their file has another shape', async () => {
    const path = join(base, 'workspace-vectors.bin');
    await writeVectors(base, 'maker', { vectors: new Map([['a piece', new Int8Array(4)]]), batch: 8, late: null });
    expect((await readVectors(base, 'maker')).vectors.size).toBe(1);
    writeFileSync(path, readFileSync(path, 'latin1').replace('"batch":8', '"batch":0'), 'latin1');
    expect(await readVectors(base, 'maker')).toEqual({ vectors: new Map(), batch: null, late: null });
  });
});
