import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeWorkspace } from '../fake-workspace.js';

const workspace = fakeWorkspace({}, { fileBytes: 50_000, outputBytes: 1_000 });
const { root, write, result, code } = workspace;

beforeAll(() => {
  write('a.txt', 'one\ntwo\nthree\n');
  write('src/b.ts', 'const needle = 1;\n// Needle\n');
  write('src/deep/c.ts', 'needle();');
  write('.env', 'needle=secret');
  write('.git/config', 'needle');
  write('big.txt', 'x'.repeat(50_001));
  write('long.txt', 'line\n'.repeat(1_000));
  writeFileSync(join(root, 'binary'), Buffer.from([110, 101, 0, 101]));
  writeFileSync(join(root, 'latin'), Buffer.from([0xe9, 0xe8]));
});
afterAll(() => {
  workspace.remove();
});

describe('file-read', () => {
  it('reads a file, its digest and the number of its lines', async () => {
    expect(await result('file-read', { path: 'a.txt' })).toEqual({
      path: 'a.txt',
      text: 'one\ntwo\nthree\n',
      truncated: false,
      lines: 3,
      bytes: 14,
      sha256: createHash('sha256').update('one\ntwo\nthree\n').digest('hex'),
    });
  });

  it.each([
    [{ first_line: 2, last_line: 2 }, 'two\n'],
    [{ first_line: 3 }, 'three\n'],
    [{ last_line: 1 }, 'one\n'],
    [{ first_line: 9 }, ''],
  ])('reads the lines %j', async (lines, text) => {
    expect(await result('file-read', { path: 'a.txt', ...lines })).toMatchObject({ text });
  });

  it('cuts a long text at the end of a line, and says so', async () => {
    const { text, truncated } = await result('file-read', { path: 'long.txt' });
    expect([text, truncated]).toEqual(['line\n'.repeat(200), true]);
  });

  it.each([
    ['binary', 'workspace.binary_file'],
    ['latin', 'workspace.binary_file'],
    ['big.txt', 'workspace.file_too_large'],
    ['nothing', 'workspace.not_found'],
    ['nothing/below', 'workspace.not_found'],
  ])('refuses %s: %s', async (path, wanted) => {
    expect(await code('file-read', { path })).toBe(wanted);
  });
});

describe('directory-list', () => {
  it('lists a folder, sorted, with kinds and sizes', async () => {
    const { entries } = await result('directory-list', { path: 'src' });
    expect(entries).toEqual([
      { path: 'b.ts', kind: 'file', size: 28 },
      { path: 'deep', kind: 'folder' },
    ]);
  });

  it('goes down to the depth, and not into .git', async () => {
    const { entries } = await result('directory-list', { depth: 3 });
    const paths = (entries as { path: string }[]).map(({ path }) => path);
    expect(paths).toContain('src/deep/c.ts');
    expect(paths.filter((path) => path.startsWith('.git'))).toEqual(['.git']);
  });
});

describe('file-search', () => {
  it.each([
    ['*.ts', ['src/b.ts', 'src/deep/c.ts']],
    ['src/*.ts', ['src/b.ts']],
    ['src/**/*.ts', ['src/b.ts', 'src/deep/c.ts']],
    ['**/c.??', ['src/deep/c.ts']],
    ['a.txt', ['a.txt']],
    ['a[.]txt', []],
  ])('finds %s', async (pattern, files) => {
    expect(await result('file-search', { pattern })).toMatchObject({ files, truncated: false });
  });
});

describe('text-search', () => {
  it('finds lines with their places, and leaves out .git, secrets and binary files', async () => {
    const { matches, skipped } = await result('text-search', { pattern: 'needle|^ne' });
    expect(matches).toEqual([
      { path: 'src/b.ts', line: 1, column: 7, text: 'const needle = 1;' },
      { path: 'src/deep/c.ts', line: 1, column: 1, text: 'needle();' },
    ]);
    // .env, big.txt, binary and latin.
    expect(skipped).toBe(4);
  });

  it.each([
    [{ ignore_case: true }, 3],
    [{ files: 'b.*' }, 1],
    [{ path: 'src/deep' }, 1],
    [{ path: 'src/b.ts' }, 1],
    [{ path: '.env' }, 1],
  ])('takes %j', async (options, count) => {
    const { matches } = await result('text-search', { pattern: 'needle', ...options });
    expect(matches).toHaveLength(count);
  });

  it.each(['(a', 'a(?=b)', '(a)\\1', '(?:(?:a{100}){100}){100}'])('refuses the pattern %s', async (pattern) => {
    expect(await code('text-search', { pattern })).toBe('workspace.invalid_pattern');
  });

  it('takes a pattern that would never end elsewhere', async () => {
    write('evil.txt', `${'a'.repeat(9_000)}!`);
    const begin = performance.now();
    expect(await result('text-search', { pattern: '^(a+)+$', path: 'evil.txt' })).toMatchObject({ matches: [] });
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  it('stops after 500 matches, and says so', async () => {
    const { matches, truncated } = await result('text-search', { pattern: '^line$', path: 'long.txt' });
    expect(matches).toHaveLength(500);
    expect(truncated).toBe(true);
  });

  it('ends if the caller cancels', async () => {
    const outcome = await workspace.call('text-search', { pattern: 'x' }, AbortSignal.abort());
    expect(outcome).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'runner.cancelled' } });
  });
});
