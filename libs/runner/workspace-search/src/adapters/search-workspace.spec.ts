import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { maskSecrets } from '#lib/kernel';
import { temporaryFolder } from '../../../workspace/src/fake-workspace.js';
import { INDEX_LIMITS, type IndexLimits, type SearchJob } from '../domain/search-job.js';
import { searchWorkspace } from './search-workspace.js';

let base: string;
let root: string;
let folder: string;
beforeEach(() => {
  base = temporaryFolder();
  [root, folder] = [join(base, 'root'), join(base, 'session')];
  mkdirSync(root);
});
afterEach(() => {
  rmSync(base, { recursive: true });
});

const write = (path: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const ask = (query: string, changes: Partial<SearchJob> = {}, limits: Partial<IndexLimits> = {}) =>
  searchWorkspace(
    { root, folder, query, path: '', language: null, most: 8, ...changes, limits: { ...INDEX_LIMITS, ...limits } },
    new AbortController().signal,
  );
const pathsOf = async (...given: Parameters<typeof ask>) => (await ask(...given)).results.map(({ path }) => path);
const kept = () => readFileSync(join(folder, 'workspace-index.json'), 'utf8');

const needle = 'export const needle = 1;\n';

describe('a search', () => {
  it('gives the place, the kind and the reason of each result', async () => {
    write('src/retry.ts', '// First\n\n/** Waits. */\nexport function backOff() {\n  return 1;\n}\n');
    expect(await ask('back off')).toEqual({
      results: [
        {
          ...{ path: 'src/retry.ts', first_line: 1, last_line: 6, language: 'typescript' },
          ...{ symbols: ['backOff'], kind: 'function', score: expect.closeTo(3 / 61, 3) as unknown },
          reasons: ['words', 'structure', 'spelling'].map((ranking) => ({
            ...{ ranking, rank: 1, terms: expect.arrayContaining(['back', 'off']) as unknown },
          })),
          snippet: { first_line: 1, text: '// First\n\n/** Waits. */\nexport function backOff() {\n  return 1;\n}' },
        },
      ],
      index: { files: 1, pieces: 1, updated: 1, removed: 0, complete: true, left_out: {} },
      ranked_by: 'words, structure and spelling',
    });
  });

  it('is of a folder, a file or a language alone', async () => {
    for (const path of ['a/x.ts', 'a/y.py', 'ab/x.ts']) write(path, needle);
    expect((await pathsOf('needle', { path: 'a' })).sort()).toEqual(['a/x.ts', 'a/y.py']);
    expect(await pathsOf('needle', { path: 'ab/x.ts' })).toEqual(['ab/x.ts']);
    expect(await pathsOf('needle', { language: 'python' })).toEqual(['a/y.py']);
    expect(await pathsOf('needle', { path: 'nothing' })).toEqual([]);
  });

  it('has at most three pieces of one file', async () => {
    const part = (at: number) => `export function needle${String(at)}() {\n${'  call();\n'.repeat(40)}}\n\n`;
    write('a.ts', Array.from({ length: 8 }, (_, at) => part(at)).join(''));
    write('b.ts', needle);
    const found = await pathsOf('needle');
    expect(found.filter((path) => path === 'a.ts')).toHaveLength(3);
    expect(found).toContain('b.ts');
  });

  it('refuses a root that is not there', async () => {
    await expect(ask('needle', { root: join(base, 'none') })).rejects.toMatchObject({ code: 'workspace.no_root' });
  });

  it('ends when its caller waits no longer', async () => {
    write('a.ts', needle);
    const job = { root, folder, query: 'needle', path: '', language: null, most: 8, limits: INDEX_LIMITS };
    await expect(searchWorkspace(job, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
  });
});

describe('the index', () => {
  it('holds no file that may hold secrets, and no answer has one', async () => {
    write('.env', 'NEEDLE=hunter2');
    write('deploy/.env.production', 'NEEDLE=hunter2');
    write('.ssh/notes.txt', 'needle hunter2');
    write('keys/server.pem', 'needle hunter2');
    write('.aws/credentials', 'needle hunter2');
    write('notes.txt', 'needle\n-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n');
    write('.env.example', 'NEEDLE=put yours here');
    const answer = await ask('needle hunter2');
    expect(answer.results.map(({ path }) => path)).toEqual(['.env.example']);
    expect(answer.index.left_out).toEqual({ secret_file: 6 });
    // A runner masks its answers: a count under the name of a secret would be hidden.
    expect(maskSecrets({ ...answer.index.left_out })).toEqual(answer.index.left_out);
    expect(kept()).not.toContain('hunter');
  });

  it('leaves out the files of .gitignore, in every folder, and folders of tools', async () => {
    write('.gitignore', 'dist/\n*.gen.ts\n');
    write('src/.gitignore', '/local\n');
    for (const path of [
      'dist/a.ts',
      'src/b.gen.ts',
      'src/local/c.ts',
      'node_modules/d/e.ts',
      '.git/f.ts',
      'local/g.ts',
    ])
      write(path, needle);
    const answer = await ask('needle');
    expect(answer.results.map(({ path }) => path)).toEqual(['local/g.ts']);
    expect(answer.index.left_out).toEqual({ ignored: 3 });
  });

  it('follows no link out of the root, and no second name of a file', async () => {
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside/a.ts'), needle);
    symlinkSync(join(base, 'outside'), join(root, 'folder'));
    symlinkSync(join(base, 'outside/a.ts'), join(root, 'b.ts'));
    linkSync(join(base, 'outside/a.ts'), join(root, 'c.ts'));
    symlinkSync(join(base, 'outside/a.ts'), join(root, '.gitignore'));
    const answer = await ask('needle');
    expect(answer).toMatchObject({ results: [], index: { left_out: { not_a_plain_file: 3, unreadable: 1 } } });
  });

  it('leaves out binary, generated and large files, and counts them', async () => {
    write('a.bin', Buffer.from([110, 0, 1]));
    write('b.js', `needle(${'x'.repeat(3_000)})`);
    write('c.txt', 'needle '.repeat(100));
    expect((await ask('needle', {}, { fileBytes: 600 })).index.left_out).toEqual({ not_text: 1, too_large: 2 });
    expect((await ask('needle')).index.left_out).toEqual({ not_text: 1, generated: 1 });
    // The second time none of them is read.
    expect((await ask('needle')).index).toMatchObject({ updated: 0, left_out: { not_text: 1, generated: 1 } });
  });

  it('lies in the folder of the session, for its owner alone, and changes nothing in the workspace', async () => {
    write('a.ts', needle);
    await ask('needle');
    expect(readdirSync(root)).toEqual(['a.ts']);
    expect(readdirSync(folder)).toEqual(['workspace-index.json']);
    expect(statSync(join(folder, 'workspace-index.json')).mode & 0o777).toBe(0o600);
  });

  it('reads a file again if it changed, and forgets one that went away', async () => {
    write('a.ts', needle);
    write('b.ts', 'export const other = 1;\n');
    await ask('needle');
    expect((await ask('needle')).index).toMatchObject({ updated: 0, removed: 0 });
    write('b.ts', 'export const needles = 2;\n');
    expect((await pathsOf('needle')).sort()).toEqual(['a.ts', 'b.ts']);
    unlinkSync(join(root, 'a.ts'));
    expect(await ask('needle')).toMatchObject({
      results: [{ path: 'b.ts' }],
      index: { updated: 0, removed: 1, files: 1 },
    });
    expect(kept()).not.toContain('a.ts');
  });

  it('takes a file with another time and the same content as unchanged', async () => {
    write('a.ts', needle);
    await ask('needle');
    utimesSync(join(root, 'a.ts'), 1, 1);
    expect((await ask('needle')).index.updated).toBe(0);
    // The next search knows it by its time again, and does not read it.
    expect(kept()).toContain('"modified":"1000000000"');
  });

  it('has bounds of files and bytes, and counts the files beyond them', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}.ts`, needle);
    const cut = { files: 2, complete: false, left_out: { beyond_bounds: 1 } };
    expect((await ask('needle', {}, { files: 2 })).index).toMatchObject(cut);
    const bytes = needle.length * 2;
    expect((await ask('needle', {}, { bytes })).index).toMatchObject(cut);
  });

  it('looks at so many files and folders, left out or not, and says that there are more', async () => {
    write('.gitignore', 'a*\n');
    for (const name of ['a', 'b', 'c', 'd']) write(`${name}.ts`, needle);
    await ask('needle', {}, { walked: 10 });
    const cut = await ask('needle', {}, { walked: 3 });
    expect(cut.index).toMatchObject({ removed: 0, complete: false, left_out: { ignored: 1, beyond_bounds: 1 } });
    // The others were indexed before, and may be there still.
    expect(cut.results.map(({ path }) => path).sort()).toEqual(['b.ts', 'c.ts', 'd.ts']);
    const bounded = await ask('needle', {}, { walked: 3, files: 3 });
    expect(bounded.index).toMatchObject({ files: 3, removed: 1 });
  });

  it('walks the folder that is asked for alone, by the rules above it', async () => {
    write('.gitignore', '*.log\n');
    for (const path of ['a/x.ts', 'a/b/y.ts', 'a/b/z.log', 'a/c/w.ts', 'd/v.ts']) write(path, needle);
    const answer = await ask('needle', { path: 'a/b' }, { walked: 8 });
    expect(answer).toMatchObject({
      results: [{ path: 'a/b/y.ts' }],
      index: { files: 1, updated: 1, complete: true, left_out: { ignored: 1 } },
    });
    expect((await ask('needle')).index).toMatchObject({ files: 5, updated: 4 });
    unlinkSync(join(root, 'd/v.ts'));
    unlinkSync(join(root, 'a/b/y.ts'));
    // The file beside it is not missed before somebody asks for it, and is no result.
    expect((await ask('needle', { path: 'a' })).index).toMatchObject({ files: 4, removed: 1 });
    expect(await pathsOf('needle', { path: 'd' })).toEqual([]);
  });

  it('makes room for the folder that is asked for', async () => {
    for (const path of ['a/x.ts', 'a/y.ts', 'b/z.ts']) write(path, needle);
    expect(await pathsOf('needle', {}, { files: 2 })).toEqual(['a/x.ts', 'a/y.ts']);
    const answer = await ask('needle', { path: 'b' }, { files: 2 });
    expect(answer).toMatchObject({ results: [{ path: 'b/z.ts' }], index: { files: 2, complete: true } });
    const bytes = needle.length;
    expect(await ask('needle', { path: 'a/y.ts' }, { bytes })).toMatchObject({
      results: [{ path: 'a/y.ts' }],
      index: { files: 1, complete: true },
    });
    expect(kept()).not.toContain('b/z.ts');
  });

  it('leaves nothing behind of a process that was killed while it wrote', async () => {
    write('a.ts', needle);
    await ask('needle');
    writeFileSync(join(folder, 'workspace-index.json.new'), 'a part');
    await ask('needle');
    expect(readdirSync(folder)).toEqual(['workspace-index.json']);
  });

  it('goes on in the next call if the time was over, and says so', async () => {
    write('a.ts', needle);
    const answer = await ask('needle', {}, { milliseconds: -1 });
    expect(answer).toMatchObject({ results: [], index: { complete: false, left_out: { not_yet: 1 } } });
    expect(await ask('needle')).toMatchObject({ results: [{ path: 'a.ts' }], index: { complete: true } });
  });

  it('keeps the files that it has if the walk itself takes too long', async () => {
    for (const name of ['a', 'b']) write(`${name}.ts`, needle);
    await ask('needle');
    unlinkSync(join(root, 'b.ts'));
    expect(await ask('needle', {}, { milliseconds: -10_000 })).toMatchObject({
      results: [{ path: 'a.ts' }],
      index: { files: 2, removed: 0, complete: false, left_out: { not_yet: 1 } },
    });
    expect((await ask('needle')).index).toMatchObject({ files: 1, removed: 1, complete: true });
  });

  it('has no result of a file that changed and was not read again', async () => {
    write('a.ts', needle);
    await ask('needle');
    write('a.ts', `secret\n${needle}`);
    expect(await ask('needle', {}, { milliseconds: -1 })).toMatchObject({ results: [], index: { complete: false } });
  });

  it.each([
    ['is damaged', () => 'x'],
    ['is of another version', (text: string) => text.replace('"version":2', '"version":1')],
    ['has a file of another shape', (text: string) => text.replace('"firstLine":1', '"firstLine":"1"')],
  ])('is made anew if it %s', async (_name, changed) => {
    write('a.ts', needle);
    await ask('needle');
    writeFileSync(join(folder, 'workspace-index.json'), changed(kept()));
    expect((await ask('needle')).index.updated).toBe(1);
  });

  it('is made anew for another root', async () => {
    write('a.ts', needle);
    await ask('needle');
    const another = join(base, 'another');
    mkdirSync(another);
    expect(await ask('needle', { root: another })).toMatchObject({ results: [], index: { files: 0 } });
  });
});
