import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeWorkspace } from '../fake-workspace.js';
import { DEFAULT_LIMITS } from '../index.js';
import { atEntry, makeFolders, withRoot } from './locate.js';

const SECRET = 'outside-secret';

describe('the confinement to the root', () => {
  const { root, outside, write, code, remove, result } = fakeWorkspace();

  beforeAll(() => {
    writeFileSync(join(outside, 'secret'), SECRET);
    write('inside/file', 'inside');
    symlinkSync(join(outside, 'secret'), join(root, 'link'));
    symlinkSync(outside, join(root, 'folder-link'));
    symlinkSync('inside/file', join(root, 'inner-link'));
    linkSync(join(outside, 'secret'), join(root, 'hard'));
    spawnSync('mkfifo', [join(root, 'pipe')]);
  });
  afterAll(() => {
    remove();
  });

  const PATHS: readonly (readonly [path: string, code: string])[] = [
    ['../outside/secret', 'workspace.path_outside'],
    ['inside/../../outside/secret', 'workspace.path_outside'],
    ['/etc/passwd', 'workspace.path_outside'],
    ['inside/..', 'workspace.path_outside'],
    ['link', 'workspace.symlink'],
    ['inner-link', 'workspace.symlink'],
    ['folder-link/secret', 'workspace.symlink'],
    ['hard', 'workspace.hard_link'],
    ['pipe', 'workspace.not_a_file'],
    ['a\0b', 'workspace.invalid_path'],
    ['x'.repeat(300), 'workspace.invalid_path'],
    ['a/'.repeat(100), 'workspace.invalid_path'],
    ['inside/file/below', 'workspace.not_a_folder'],
    ['.', 'workspace.invalid_path'],
    ['inside', 'workspace.not_a_file'],
  ];

  it.each(PATHS)('refuses to read %j: %s', async (path, wanted) => {
    expect(await code('file-read', { path })).toBe(wanted);
  });

  it.each(PATHS)('refuses to write %j: %s', async (path, wanted) => {
    expect(await code('file-write', { path, content: 'changed' })).toBe(wanted);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe(SECRET);
  });

  it.each(PATHS.filter(([path]) => !['link', 'inner-link', 'inside'].includes(path)))(
    'refuses to move %j away, or something to below it: %s',
    async (path, wanted) => {
      expect(await code('file-move', { from: path, to: 'taken' })).toBe(wanted);
      if (/^[./f]/.test(path) && path !== '.') {
        expect(await code('file-move', { from: 'inside/file', to: `${path}/new` })).toBe(wanted);
      }
    },
  );

  it('refuses a socket', async () => {
    const server = createServer().listen(join(root, 'socket'));
    await once(server, 'listening');
    expect(await code('file-read', { path: 'socket' })).toBe('workspace.not_a_file');
    server.close();
  });

  it('refuses a device', async () => {
    // Only an administrator can make one.
    const made = spawnSync('mknod', [join(root, 'device'), 'c', '1', '5']).status === 0;
    expect(await code('file-read', { path: 'device' })).toBe(made ? 'workspace.not_a_file' : 'workspace.not_found');
  });

  it('lists and searches without following a link', async () => {
    const { entries } = await result('directory-list', { depth: 5 });
    expect(entries).toContainEqual({ path: 'folder-link', kind: 'symlink' });
    expect(JSON.stringify(entries)).not.toContain('folder-link/');
    expect(await result('text-search', { pattern: SECRET })).toMatchObject({ matches: [] });
    expect(await code('directory-list', { path: 'folder-link' })).toBe('workspace.symlink');
    expect(await code('text-search', { pattern: 'a', path: 'folder-link' })).toBe('workspace.symlink');
  });

  it('deletes a link, and not its target', async () => {
    symlinkSync(outside, join(root, 'gone'));
    expect(await code('file-delete', { path: 'gone', recursive: true })).toBe('ok');
    expect(readdirSync(outside)).toEqual(['secret']);
  });
});

describe('a folder and a file that are swapped for links to outside, again and again (T53)', () => {
  const { root, outside, write, call, remove } = fakeWorkspace();
  const READS = 2_000;
  const WRITES = 1_000;
  /** A busy machine may let the other process wait for all of these rounds: then there are more. */
  const BOTH_SIDES_WITHIN_MS = 20_000;

  /** Swaps in a process of its own, so that it comes between any two system calls. */
  const swapper = () =>
    spawn(process.execPath, [
      '--eval',
      `const fs = require('node:fs');
       const [root, outside] = ${JSON.stringify([root, outside])};
       const [at, away, leaf] = ['swapped', 'away', 'leaf'].map((name) => root + '/' + name);
       console.log('ready');
       const spin = () => { for (let i = 0; i < 200; i++); };
       // A tool may make the folder anew while it is away, and write into it while it is removed.
       const back = () => { try { fs.rmSync(at, { recursive: true, force: true }); fs.renameSync(away, at); } catch {} };
       const attempt = (change) => { try { change(); } catch { back(); } };
       for (;;) {
         fs.rmSync(leaf, { force: true });
         fs.symlinkSync(outside + '/file', leaf);
         attempt(() => { fs.renameSync(at, away); fs.symlinkSync(outside, at); });
         spin();
         fs.unlinkSync(leaf);
         fs.writeFileSync(leaf, 'inside');
         attempt(() => { fs.unlinkSync(at); fs.renameSync(away, at); });
         spin();
       }`,
    ]);

  beforeAll(() => {
    mkdirSync(join(outside, 'deep'));
    for (const path of ['file', 'deep/file']) {
      writeFileSync(join(outside, path), SECRET);
      write(`swapped/${path}`, 'inside');
    }
  });
  afterAll(() => {
    remove();
  });

  it('never makes a tool read or write outside', async () => {
    const child = swapper();
    try {
      await once(child.stdout, 'data');
      const seen = new Map<string, number>();
      const count = (what: string): void => {
        seen.set(what, (seen.get(what) ?? 0) + 1);
      };
      const deadline = performance.now() + BOTH_SIDES_WITHIN_MS;
      const goesOn = (rounds: number, round: number, ...sides: readonly string[]): boolean =>
        round < rounds || (!sides.every((side) => seen.has(side)) && performance.now() < deadline);
      for (let round = 0; goesOn(READS, round, 'inside', 'workspace.symlink'); round++) {
        const path = ['swapped/file', 'swapped/deep/file', 'leaf'][round % 3] ?? '';
        const outcome = await call('file-read', { path });
        count(outcome.ok ? (outcome.result.text as string) : outcome.error.code);
      }
      expect(seen.get(SECRET)).toBeUndefined();
      // The race took place: both sides were seen.
      expect(seen.get('inside')).toBeGreaterThan(0);
      expect(seen.get('workspace.symlink')).toBeGreaterThan(0);

      await withRoot(root, async (folder) => {
        for (let round = 0; goesOn(WRITES, round, 'written', 'not written'); round++) {
          const names = ['swapped', 'deep', `new-${String(round % 10)}`];
          await makeFolders(folder, names.slice(0, -1)).catch(() => undefined);
          await atEntry(folder, names, (inner, name) => inner.write(name, Buffer.from('written'), 0o644)).then(
            () => {
              count('written');
            },
            () => {
              count('not written');
            },
          );
        }
      });
      expect(child.exitCode).toBeNull();
      expect(seen.get('written')).toBeGreaterThan(0);
      expect(seen.get('not written')).toBeGreaterThan(0);

      for (let round = 0; round < 30; round++) {
        await call('file-write', { path: 'swapped/file', content: 'written' });
        await call('file-delete', { path: 'swapped/deep', recursive: true });
        await call('file-move', { from: 'swapped/file', to: 'swapped/moved' });
        const { ok: found, ...searched } = await call('text-search', { pattern: SECRET });
        expect(found).toBe(true);
        expect(searched).toMatchObject({ result: { matches: [] } });
      }
    } finally {
      child.kill('SIGKILL');
    }
    expect(readdirSync(outside, { recursive: true }).sort()).toEqual(['deep', 'deep/file', 'file']);
    for (const path of ['file', 'deep/file']) expect(readFileSync(join(outside, path), 'utf8')).toBe(SECRET);
  });
});

describe('a root that is moved away', () => {
  it('is a refusal of each tool, and nothing is changed', async () => {
    const moving = fakeWorkspace();
    moving.write('a', 'before');
    renameSync(moving.root, `${moving.root}-moved`);
    for (const [tool, given] of [
      ['file-read', { path: 'a' }],
      ['file-write', { path: 'a', content: 'after' }],
      ['directory-list', { path: '.' }],
    ] as const)
      expect(await moving.call(tool, given)).toMatchObject({
        ok: false,
        effect: 'not_started',
        error: { code: 'workspace.no_root', message: expect.stringContaining('ENOENT') },
      });
    const { limits, signal } = { limits: DEFAULT_LIMITS, signal: new AbortController().signal };
    await expect(moving.snapshots.takePaths({ root: moving.root, limits, signal }, [['a']])).rejects.toMatchObject({
      code: 'workspace.no_root',
    });
    renameSync(`${moving.root}-moved`, moving.root);
    expect(readFileSync(join(moving.root, 'a'), 'utf8')).toBe('before');
    moving.remove();
  });
});
