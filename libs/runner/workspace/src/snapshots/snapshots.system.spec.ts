import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { temporaryFolder } from '../fake-workspace.js';
import { MAX_SNAPSHOTS } from './outdated-snapshots.js';
import { DEFAULT_LIMITS, Snapshots, type SnapshotContext, type TakenSnapshot } from '../index.js';

const NOBODY = 65_534;

const base = temporaryFolder();
let folders = 0;

/** A tree as a text for each entry: kind, mode and content. */
type Tree = Readonly<Record<string, string>>;

interface World {
  readonly root: string;
  readonly store: string;
  readonly snapshots: Snapshots;
  readonly context: SnapshotContext;
}

function newWorld(limits: Partial<typeof DEFAULT_LIMITS> = {}): World {
  const folder = join(base, String((folders += 1)));
  const [root, store] = [join(folder, 'root'), join(folder, 'store')];
  mkdirSync(root, { recursive: true });
  const context = { root, limits: { ...DEFAULT_LIMITS, ...limits }, signal: new AbortController().signal };
  return { root, store, snapshots: new Snapshots(store), context };
}

function treeOf(root: string, path = ''): Tree {
  const full = join(root, path);
  const stat = lstatSync(full);
  const mode = (stat.mode & 0o7777).toString(8);
  if (stat.isSymbolicLink()) return { [path]: `symlink ${readlinkSync(full)}` };
  if (!stat.isDirectory()) return { [path]: `file ${mode} ${readFileSync(full, 'latin1')}` };
  const below = readdirSync(full).sort();
  return below.reduce<Tree>((tree, name) => ({ ...tree, ...treeOf(root, join(path, name)) }), {
    [path]: `folder ${mode}`,
  });
}

const blobsIn = (store: string): number =>
  readdirSync(join(store, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('/')).length;

/** A small change of a tree, by numbers that generators shrink. */
type Change = readonly [kind: number, path: number, content: string];

const NAMES = ['a', 'b', 'a/c', 'a/d', 'b/a', 'a/c/e', 'ü', 'b/a/f'];
const changes = fc.array(fc.tuple(fc.nat(6), fc.nat(NAMES.length - 1), fc.string({ maxLength: 20 })), {
  maxLength: 12,
});

/** Carries out a change as a program would; one that the tree does not allow changes nothing. */
function change(root: string, [kind, at, content]: Change): void {
  const path = join(root, NAMES[at] ?? 'a');
  try {
    if (kind === 0) mkdirSync(path, { recursive: true });
    else if (kind === 1) symlinkSync(`nowhere/${content.replaceAll('\0', '')}`, path);
    else if (kind === 2) rmSync(path, { recursive: true });
    else if (kind === 3) chmodSync(path, 0o700 + (content.length & 0o77));
    else if (kind === 4) renameSync(path, join(root, NAMES[content.length % NAMES.length] ?? 'a'));
    else {
      // Never through a symbolic link.
      rmSync(path, { force: true });
      writeFileSync(path, content, { mode: kind === 5 ? 0o644 : 0o755 });
    }
  } catch {
    // The tree stays as it was.
  }
}

describe('snapshots and rollbacks', () => {
  afterAll(() => {
    rmSync(base, { recursive: true });
  });

  it('restore any tree after any changes, the second time without a change', async () => {
    await fc.assert(
      fc.asyncProperty(changes, changes, async (before, after) => {
        const { root, snapshots, context } = newWorld();
        for (const one of before) change(root, one);
        const tree = treeOf(root);
        const taken: TakenSnapshot = await snapshots.takeWhole(context);
        if (taken.noWayBack) throw new Error(taken.reason);
        for (const one of after) change(root, one);
        await snapshots.rollback(root, taken.id);
        expect(treeOf(root)).toEqual(tree);
        expect(await snapshots.rollback(root, taken.id)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it('restore the named paths, and leave all others', async () => {
    await fc.assert(
      fc.asyncProperty(changes, changes, fc.nat(NAMES.length - 1), async (before, after, at) => {
        const { root, snapshots, context } = newWorld();
        mkdirSync(join(root, 'other'));
        for (const one of before) change(root, one);
        const path = NAMES[at] ?? 'a';
        const below = (tree: Tree): Tree =>
          Object.fromEntries(Object.entries(tree).filter(([name]) => name === path || name.startsWith(`${path}/`)));
        const tree = treeOf(root);
        const taken = await snapshots.takePaths(context, [path.split('/')]).catch(() => null);
        // A symbolic link on the way is refused.
        if (taken === null) return;
        for (const one of after) change(root, one);
        writeFileSync(join(root, 'other/later'), 'later');
        await snapshots.rollback(root, taken.id);
        expect(below(treeOf(root))).toEqual(below(tree));
        expect(readFileSync(join(root, 'other/later'), 'utf8')).toBe('later');
      }),
      { numRuns: 40 },
    );
  });

  it('remove folders that the write had to make, unless something else is in them', async () => {
    const { root, snapshots, context } = newWorld();
    const { id } = await snapshots.takePaths(context, [['a', 'b', 'c']]);
    mkdirSync(join(root, 'a/b'), { recursive: true });
    writeFileSync(join(root, 'a/b/c'), 'new');
    writeFileSync(join(root, 'a/other'), 'stays');
    await snapshots.rollback(root, id);
    expect(Object.keys(treeOf(root))).toEqual(['', 'a', 'a/other']);
  });

  it('remove a file that an interrupted write left', async () => {
    const { root, snapshots, context } = newWorld();
    writeFileSync(join(root, 'a'), 'old');
    const { id } = await snapshots.takePaths(context, [['a']]);
    writeFileSync(join(root, '.countersign-tmp-000000000000000000'), 'half');
    await snapshots.rollback(root, id);
    expect(Object.keys(treeOf(root))).toEqual(['', 'a']);
  });

  it('never write through a symbolic link or into the other name of a file', async () => {
    const { root, snapshots, context } = newWorld();
    const outside = join(root, '../outside');
    writeFileSync(outside, 'outside');
    writeFileSync(join(root, 'a'), 'inside');
    writeFileSync(join(root, 'b'), 'inside');
    const { id } = await snapshots.takePaths(context, [['a'], ['b']]);
    for (const name of ['a', 'b']) rmSync(join(root, name));
    symlinkSync(outside, join(root, 'a'));
    linkSync(outside, join(root, 'b'));
    await snapshots.rollback(root, id);
    expect(readFileSync(outside, 'utf8')).toBe('outside');
    expect(readFileSync(join(root, 'a'), 'utf8') + readFileSync(join(root, 'b'), 'utf8')).toBe('insideinside');
  });

  it.each([
    ['bytes', { snapshotBytes: 10 }, '10 bytes'],
    ['entries', { entries: 2 }, '2 files and folders'],
  ])('say the size and keep nothing of a root with too many %s', async (_, limits, reason) => {
    const { root, store, snapshots, context } = newWorld(limits);
    mkdirSync(join(root, 'deep'));
    for (const name of ['a', 'deep/b']) writeFileSync(join(root, name), '12345678');
    expect(await snapshots.takeWhole(context)).toMatchObject({
      noWayBack: true,
      reason: expect.stringContaining(reason),
    });
    expect(() => readdirSync(store)).toThrow('ENOENT');
  });

  it.each([
    ['a pipe', 'x', (path: string) => spawnSync('mkfifo', [path]), /^b\/x is a pipe, socket or device$/],
    [
      'a symbolic link to a name that is not UTF-8',
      'x',
      (path: string) => {
        symlinkSync(Buffer.from('7ff8', 'hex'), path);
      },
      /^b\/x leads to a name that is not UTF-8$/,
    ],
  ])('have no way back from %s, and say so', async (_what, name, make, reason) => {
    const { root, snapshots, context } = newWorld();
    mkdirSync(join(root, 'b'));
    make(join(root, 'b', name));
    expect(await snapshots.takeWhole(context)).toMatchObject({
      noWayBack: true,
      reason: expect.stringMatching(reason),
    });
    await expect(snapshots.takePaths(context, [['b']])).rejects.toMatchObject({
      code: 'workspace.snapshot_incomplete',
    });
    expect(await snapshots.ids()).toEqual([]);
  });

  it('have no way back from a file that is closed to the runner, and say so', async () => {
    const { root, context } = newWorld();
    // In a folder that others may enter: root reads every file.
    const other = mkdtempSync(join(tmpdir(), 'countersign-closed-'));
    const isRoot = process.geteuid?.() === 0;
    try {
      for (const name of ['own', 'closed']) writeFileSync(join(root, name), name, { mode: name === 'own' ? 0o600 : 0 });
      renameSync(root, join(other, 'root'));
      if (isRoot) for (const name of ['', 'root', 'root/own']) chownSync(join(other, name), NOBODY, NOBODY);
      if (isRoot) process.seteuid?.(NOBODY);
      const snapshots = new Snapshots(join(other, 'store'));
      const taken = await snapshots.takeWhole({ ...context, root: join(other, 'root') });
      expect(taken).toMatchObject({ noWayBack: true, reason: 'closed is closed to the runner' });
    } finally {
      if (isRoot) process.seteuid?.(0);
      rmSync(other, { recursive: true });
    }
  });

  describe('that fail half-way', () => {
    const unhandled: unknown[] = [];
    const note = (problem: unknown): void => {
      unhandled.push(problem);
    };
    beforeAll(() => {
      process.on('unhandledRejection', note);
    });
    afterAll(() => {
      process.off('unhandledRejection', note);
    });

    it('because the store takes no more, are refused, leave nothing, and end no process', async () => {
      const { root, store, snapshots, context } = newWorld();
      for (let file = 0; file < 60; file++) writeFileSync(join(root, String(file)), `content ${String(file)}`);
      mkdirSync(store);
      // No folder can be made there, as on a full disk, for root either.
      writeFileSync(join(store, 'blobs'), '');
      await expect(snapshots.takeWhole(context)).rejects.toMatchObject({
        code: 'workspace.no_snapshot',
        effect: 'not_started',
        message: expect.stringContaining('ENOTDIR'),
      });
      expect([readdirSync(join(store, 'building')), await snapshots.ids()]).toEqual([[], []]);
      await new Promise(setImmediate);
      expect(unhandled).toEqual([]);
      rmSync(join(store, 'blobs'));
      expect(await snapshots.takeWhole(context)).toMatchObject({ noWayBack: false, files: 60 });
    });

    it('because the caller cancels, leave nothing, and end no process', async () => {
      const { root, store, snapshots, context } = newWorld();
      for (let file = 0; file < 60; file++) writeFileSync(join(root, String(file)), `content ${String(file)}`);
      const reason = new Error('cancelled');
      let looks = 0;
      const signal = Object.assign(new AbortController().signal, {
        throwIfAborted: () => {
          if (++looks > 100) throw reason;
        },
      });
      await expect(snapshots.takeWhole({ ...context, signal })).rejects.toBe(reason);
      expect(readdirSync(join(store, 'building'))).toEqual([]);
      expect(blobsIn(store)).toBe(0);
      await new Promise(setImmediate);
      expect(unhandled).toEqual([]);
    });
  });

  it('hold as many bytes as the limit says, and not one more', async () => {
    const { root, snapshots, context } = newWorld({ snapshotBytes: 10 });
    writeFileSync(join(root, 'a'), 'x'.repeat(10));
    expect(await snapshots.takeWhole(context)).toMatchObject({ noWayBack: false, bytes: 10 });
    writeFileSync(join(root, 'b'), 'x');
    expect(await snapshots.takeWhole(context)).toMatchObject({ noWayBack: true, bytes: 11 });
    await expect(snapshots.takePaths(context, [['a'], ['b']])).rejects.toMatchObject({
      code: 'workspace.file_too_large',
    });
  });

  it('are of one root, and the store is in none', async () => {
    const { root, snapshots, context } = newWorld();
    const { id } = await snapshots.takePaths(context, [['a']]);
    await expect(snapshots.rollback(newWorld().root, id)).rejects.toMatchObject({
      code: 'workspace.snapshot_of_another_root',
    });
    await expect(snapshots.rollback(root, '../../etc')).rejects.toMatchObject({ code: 'workspace.no_such_snapshot' });
    await expect(new Snapshots(join(root, 'store')).takePaths(context, [['a']])).rejects.toMatchObject({
      code: 'workspace.store_in_root',
    });
  });

  it('share equal contents, and let go of those that the last snapshot held', async () => {
    const { root, store, snapshots, context } = newWorld();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), name === 'c' ? 'other' : 'same');
    const first = await snapshots.takePaths(context, [['a'], ['b']]);
    const second = await snapshots.takePaths(context, [['a'], ['c']]);
    expect(blobsIn(store)).toBe(2);
    await snapshots.forget(first.id);
    expect(blobsIn(store)).toBe(2);
    await snapshots.forget(second.id);
    expect([blobsIn(store), await snapshots.ids()]).toEqual([0, []]);
    await expect(snapshots.forget(second.id)).rejects.toMatchObject({ code: 'workspace.no_such_snapshot' });
  });

  it('are let go beyond a number and an age, the oldest first, except for a rollback that was interrupted', async () => {
    const { root, store, snapshots, context } = newWorld();
    const daysAgo = (id: string, days: number): void => {
      const then = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(store, 'snapshots', id), then, then);
    };
    const taken: string[] = [];
    for (let at = 0; at <= MAX_SNAPSHOTS; at++) {
      writeFileSync(join(root, 'file'), String(at));
      const { id } = await snapshots.takePaths(context, [['file']]);
      if (at === 1) writeFileSync(join(store, 'snapshots', id, 'restoring'), '');
      // The first ones are the oldest, and not by the order of their names.
      daysAgo(id, 29 - at / 2);
      taken.push(id);
    }
    expect(new Set(await snapshots.ids())).toEqual(new Set(taken));
    await snapshots.takePaths(context, [['file']]);
    expect((await snapshots.ids()).length).toBe(MAX_SNAPSHOTS + 1);
    expect(await snapshots.ids()).not.toContain(taken[0]);
    expect(await snapshots.ids()).toContain(taken[1]);
    const [old] = taken.slice(-1);
    daysAgo(old ?? '', 31);
    const blobs = blobsIn(store);
    await snapshots.sweep();
    expect(await snapshots.ids()).not.toContain(old);
    // The newest snapshot has the same content.
    expect(blobsIn(store)).toBe(blobs);
  });

  it('hold under concurrent snapshots, rollbacks and collections', async () => {
    const { root, store, snapshots, context } = newWorld();
    for (let file = 0; file < 20; file++) writeFileSync(join(root, String(file)), String(file % 5));
    const tree = treeOf(root);
    const rounds = Array.from({ length: 12 }, async (_, round) => {
      const taken = await new Snapshots(store).takeWhole(context);
      if (taken.noWayBack) throw new Error(taken.reason);
      if (round % 2 === 0) await snapshots.forget(taken.id);
      return taken.id;
    });
    const ids = await Promise.all(rounds);
    const kept = ids.filter((_, round) => round % 2 === 1);
    for (const id of kept) {
      for (const name of readdirSync(root)) rmSync(join(root, name));
      await snapshots.rollback(root, id);
      expect(treeOf(root)).toEqual(tree);
    }
  });

  it('refuse a stored content that the disk gave back changed', async () => {
    const { root, store, snapshots, context } = newWorld();
    writeFileSync(join(root, 'a'), 'right');
    const { id } = await snapshots.takePaths(context, [['a']]);
    const own = join(store, 'snapshots', id);
    const blob = readdirSync(own).find((name) => name !== 'manifest.json') ?? '';
    writeFileSync(join(own, blob), 'wrong');
    writeFileSync(join(root, 'a'), 'later');
    await expect(snapshots.rollback(root, id)).rejects.toThrow('damaged');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('later');
  });
});

describe('kill -9', () => {
  const bundle = join(base, 'snapshots.mjs');

  beforeAll(() => {
    mkdirSync(base, { recursive: true });
    const { status, stderr } = spawnSync(
      join(process.cwd(), 'node_modules/.bin/rolldown'),
      [join(__dirname, 'snapshots.ts'), '--file', bundle, '--platform', 'node', '--format', 'esm'],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
  });

  afterAll(() => {
    rmSync(base, { recursive: true, force: true });
  });

  /** Starts a process that takes a snapshot or rolls one back. Kills it after some of its messages to the disk. */
  async function killed(script: string, afterMs: number): Promise<void> {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { Snapshots } from ${JSON.stringify(bundle)}; console.log('ready'); ${script}`,
    ]);
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), afterMs);
    await ended;
  }

  const bigTree = (root: string, seed: string): void => {
    for (let folder = 0; folder < 6; folder++) {
      mkdirSync(join(root, String(folder)), { recursive: true });
      for (let file = 0; file < 20; file++)
        writeFileSync(join(root, String(folder), String(file)), `${seed} ${String(folder)} ${String(file)}`);
    }
  };

  it('in the middle of a rollback is made good by the next one', async () => {
    const { root, store, snapshots, context } = newWorld();
    bigTree(root, 'before');
    mkdirSync(join(root, 'empty'));
    const tree = treeOf(root);
    const taken = await snapshots.takeWhole(context);
    if (taken.noWayBack) throw new Error(taken.reason);
    let interrupted = 0;
    // A machine may be done before or begin after all of the first times: then others are tried.
    const first = [1, 4, 12, 30, 70];
    const further = Array.from({ length: 60 }, (_, index) => index + 2);
    for (const [tried, afterMs] of [...first, ...further].entries()) {
      if (tried >= first.length && interrupted > 0) break;
      bigTree(root, 'after');
      rmSync(join(root, 'empty'), { recursive: true, force: true });
      writeFileSync(join(root, '3/new'), 'new');
      await killed(
        `await new Snapshots(${JSON.stringify(store)}).rollback(${JSON.stringify(root)}, '${taken.id}');`,
        afterMs,
      );
      const left = await snapshots.unfinished();
      interrupted += left.length;
      for (const { id, root: of } of left) await snapshots.rollback(of, id);
      if (left.length === 0) await snapshots.rollback(root, taken.id);
      expect(treeOf(root)).toEqual(tree);
      expect(await snapshots.unfinished()).toEqual([]);
    }
    expect(interrupted).toBeGreaterThan(0);
  });

  it('in the middle of a snapshot leaves none in part, and a sweep clears the rest', async () => {
    const { root, store, snapshots, context } = newWorld();
    bigTree(root, 'content');
    const tree = treeOf(root);
    for (const afterMs of [1, 8, 25, 60]) {
      await killed(
        `const context = { root: ${JSON.stringify(root)}, limits: ${JSON.stringify(context.limits)}, signal: new AbortController().signal };
         for (;;) await new Snapshots(${JSON.stringify(store)}).takeWhole(context);`,
        afterMs,
      );
      await snapshots.sweep();
      expect(existsSync(join(store, 'building')) ? readdirSync(join(store, 'building')) : []).toEqual([]);
      for (const id of await snapshots.ids()) {
        rmSync(join(root, '2'), { recursive: true, force: true });
        await snapshots.rollback(root, id);
        expect(treeOf(root)).toEqual(tree);
        await snapshots.forget(id);
      }
    }
    // On a busy machine, none of them came so far.
    expect(existsSync(join(store, 'blobs')) ? readdirSync(join(store, 'blobs'), { recursive: true }) : []).toEqual([]);
  });
});
