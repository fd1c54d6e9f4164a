import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { replaceOnce } from '../domain/replace-once.js';
import { fakeWorkspace } from '../fake-workspace.js';

const workspace = fakeWorkspace({}, { fileBytes: 1_000 });
const { root, write, result, code, snapshots } = workspace;
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const modeOf = (path: string): number => statSync(join(root, path)).mode & 0o777;

afterAll(() => {
  workspace.remove();
});

describe('file-write', () => {
  it('writes a file, makes folders, and names the snapshot before it', async () => {
    const { snapshot, ...others } = await result('file-write', { path: 'new/deep/a', content: 'text\n' });
    expect(others).toMatchObject({ created: true, bytes: 5 });
    expect([textOf('new/deep/a'), modeOf('new/deep/a')]).toEqual(['text\n', 0o644]);
    expect(await result('rollback-checkpoint', { snapshot: snapshot as string })).toMatchObject({ changed: 3 });
    expect(existsSync(join(root, 'new'))).toBe(false);
  });

  it('keeps the permissions of the file', async () => {
    write('script', 'old');
    chmodSync(join(root, 'script'), 0o755);
    await result('file-write', { path: 'script', content: 'new' });
    expect([textOf('script'), modeOf('script')]).toEqual(['new', 0o755]);
  });

  it.each([
    ['x'.repeat(1_001), 'workspace.file_too_large'],
    ['half \ud800', 'workspace.invalid_text'],
  ])('refuses a text that no file may have', async (content, wanted) => {
    const before = await snapshots.ids();
    expect(await code('file-write', { path: 'refused', content })).toBe(wanted);
    expect(existsSync(join(root, 'refused'))).toBe(false);
    // A refusal comes before the snapshot.
    expect(await snapshots.ids()).toEqual(before);
  });
});

describe('file-edit', () => {
  it('replaces the only occurrence, and keeps all other bytes', async () => {
    write('edit', '\ufeffone\r\ntwo $& \r\n');
    await result('file-edit', { path: 'edit', old_text: 'one', new_text: "$1$&$'" });
    expect(textOf('edit')).toBe("\ufeff$1$&$'\r\ntwo $& \r\n");
  });

  it.each([
    ['nothing', 'workspace.text_not_found'],
    ['a', 'workspace.text_not_unique'],
    // Overlapping: each of the two could be meant.
    ['bab', 'workspace.text_not_unique'],
  ])('refuses %j: %s', async (oldText, wanted) => {
    write('edit', 'babab');
    expect(await code('file-edit', { path: 'edit', old_text: oldText, new_text: 'x' })).toBe(wanted);
    expect(textOf('edit')).toBe('babab');
  });

  it('undoes itself exactly, for any text', () => {
    const some = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(
        some,
        some.filter((text) => text !== ''),
        some,
        some,
        (before, old, after, next) => {
          const text = before + old + after;
          const unique = text.indexOf(old) === text.lastIndexOf(old);
          if (unique) expect(replaceOnce(text, old, next, 'p')).toBe(before + next + after);
          else expect(() => replaceOnce(text, old, next, 'p')).toThrow('times');
        },
      ),
    );
  });

  it('takes turns with other edits of the same file', async () => {
    write('turns', Array.from({ length: 8 }, (_, line) => `line ${String(line)}\n`).join(''));
    await Promise.all(
      Array.from({ length: 8 }, (_, line) =>
        result('file-edit', { path: 'turns', old_text: `line ${String(line)}`, new_text: `done ${String(line)}` }),
      ),
    );
    expect(textOf('turns')).not.toContain('line');
  });
});

describe('file-delete', () => {
  it('deletes a file, and a folder only if asked', async () => {
    write('folder/a', 'a');
    mkdirSync(join(root, 'folder/empty'));
    expect(await code('file-delete', { path: 'folder' })).toBe('workspace.not_empty');
    expect(await code('file-delete', { path: 'folder/empty' })).toBe('ok');
    const { snapshot } = await result('file-delete', { path: 'folder', recursive: true });
    expect(existsSync(join(root, 'folder'))).toBe(false);
    await result('rollback-checkpoint', { snapshot: snapshot as string });
    expect(readdirSync(join(root, 'folder'))).toEqual(['a']);
    expect(await code('file-delete', { path: 'nothing' })).toBe('workspace.not_found');
  });

  it('refuses a folder that is too large for a way back', async () => {
    const small = fakeWorkspace({}, { snapshotBytes: 10 });
    small.write('folder/a', 'more than ten bytes');
    expect(await small.code('file-delete', { path: 'folder', recursive: true })).toBe('workspace.file_too_large');
    expect(existsSync(join(small.root, 'folder/a'))).toBe(true);
    small.remove();
  });
});

describe('file-move', () => {
  it('moves files and folders, and back', async () => {
    write('from/a', 'a');
    const { snapshot } = await result('file-move', { from: 'from', to: 'to/there' });
    expect([existsSync(join(root, 'from')), textOf('to/there/a')]).toEqual([false, 'a']);
    await result('rollback-checkpoint', { snapshot: snapshot as string });
    expect([existsSync(join(root, 'to')), textOf('from/a')]).toEqual([false, 'a']);
  });

  it.each([
    ['from/a', 'taken', 'workspace.exists'],
    ['from', 'from/below', 'workspace.into_itself'],
    ['from', 'from', 'workspace.into_itself'],
    ['nothing', 'free', 'workspace.not_found'],
  ])('refuses %s to %s: %s', async (from, to, wanted) => {
    write('from/a', 'a');
    write('taken', 'taken');
    expect(await code('file-move', { from, to })).toBe(wanted);
    expect([textOf('from/a'), textOf('taken')]).toEqual(['a', 'taken']);
  });
});

describe('git-apply-patch', () => {
  const patch = [
    'diff --git a/p/one b/p/one',
    '--- a/p/one',
    '+++ b/p/one',
    '@@ -1,3 +1,3 @@',
    ' a',
    '-b',
    '+B',
    ' c',
    'diff --git a/p/old b/p/new',
    'similarity index 100%',
    'rename from p/old',
    'rename to p/new',
    'diff --git a/p/script b/p/script',
    'new file mode 100755',
    '--- /dev/null',
    '+++ b/p/script',
    '@@ -0,0 +1 @@',
    '+#!/bin/sh',
    'diff --git a/p/gone b/p/gone',
    'deleted file mode 100644',
    '--- a/p/gone',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-gone',
    '',
  ].join('\n');
  const paths = ['p/one', 'p/old', 'p/new', 'p/script', 'p/gone'];

  beforeEach(() => {
    for (const name of ['new', 'script']) if (existsSync(join(root, 'p', name))) throw new Error(name);
    write('p/one', 'a\nb\nc\n');
    write('p/old', 'moved\n');
    write('p/gone', 'gone\n');
  });

  it('changes, renames, creates and deletes, and all of it rolls back', async () => {
    const { snapshot } = await result('git-apply-patch', { patch, paths });
    expect(readdirSync(join(root, 'p')).sort()).toEqual(['new', 'one', 'script']);
    expect([textOf('p/one'), textOf('p/new'), modeOf('p/script')]).toEqual(['a\nB\nc\n', 'moved\n', 0o755]);
    await result('rollback-checkpoint', { snapshot: snapshot as string });
    expect(readdirSync(join(root, 'p')).sort()).toEqual(['gone', 'old', 'one']);
    expect(textOf('p/one')).toBe('a\nb\nc\n');
  });

  it.each<[string, string, string[], string]>([
    ['a line differs', patch.replace('-b', '-x'), paths, 'workspace.patch_does_not_apply'],
    ['a path is not named', patch, paths.slice(1), 'workspace.patch_paths_differ'],
    ['a path is named that it leaves', patch, [...paths, 'p/other'], 'workspace.patch_paths_differ'],
    ['it climbs', patch.replaceAll('p/one', '../outside'), ['../outside', ...paths.slice(1)], 'workspace.path_outside'],
    ['it makes a symbolic link', patch.replace('100755', '120000'), paths, 'workspace.unsupported_patch'],
    ['it deletes a part', patch.replace('-gone', '-gon'), paths, 'workspace.patch_does_not_apply'],
    ['it is no patch', 'hello', ['a'], 'workspace.invalid_patch'],
    [
      'its place is taken',
      patch.replaceAll('p/new', 'p/one2').replaceAll('p/script', 'p/old'),
      ['p/one'],
      'workspace.invalid_patch',
    ],
  ])('changes nothing if %s', async (_, text, named, wanted) => {
    expect(await code('git-apply-patch', { patch: text, paths: named })).toBe(wanted);
    expect(readdirSync(join(root, 'p')).sort()).toEqual(['gone', 'old', 'one']);
    expect(textOf('p/one')).toBe('a\nb\nc\n');
  });
});

describe('a write that fails half-way', () => {
  it('is undone, and says that nothing was changed', async () => {
    write('half', 'one\n');
    // The second file cannot be made: the first one is no folder.
    const patch = [
      ...['diff --git a/half b/half', '--- a/half', '+++ b/half', '@@ -1 +1 @@', '-one', '+two'],
      ...[
        'diff --git a/fresh b/fresh',
        'new file mode 100644',
        '--- /dev/null',
        '+++ b/fresh',
        '@@ -0,0 +1 @@',
        '+new',
      ],
      ...['diff --git a/fresh/below b/fresh/below', 'new file mode 100644', '--- /dev/null', '+++ b/fresh/below'],
      ...['@@ -0,0 +1 @@', '+new', ''],
    ].join('\n');
    const outcome = await workspace.call('git-apply-patch', { patch, paths: ['half', 'fresh', 'fresh/below'] });
    expect(outcome).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'workspace.not_a_folder' } });
    expect([textOf('half'), existsSync(join(root, 'fresh'))]).toEqual(['one\n', false]);
  });
});

describe('checks after a write', () => {
  const checked = fakeWorkspace({ checks: ['test'] });
  const script = 'grep -q good a.txt || { echo a.txt is bad; exit 3; }';

  beforeAll(() => {
    checked.write('package.json', JSON.stringify({ scripts: { test: script } }));
    checked.write('a.txt', 'good');
  });
  afterAll(() => {
    checked.remove();
  });

  it('give their output back if they fail, and keep the way back', async () => {
    const { snapshot, checks } = await checked.result('file-write', { path: 'a.txt', content: 'bad' });
    expect(checks).toEqual([
      expect.objectContaining({ script: 'test', passed: false, exit_code: 3, output: 'a.txt is bad\n' }),
    ]);
    expect(checked.chunks).toContainEqual({ stream: 'stdout', text: 'a.txt is bad\n' });
    await checked.result('rollback-checkpoint', { snapshot: snapshot as string });
    expect(readFileSync(join(checked.root, 'a.txt'), 'utf8')).toBe('good');
    await checked.snapshots.forget(snapshot as string);
  });

  it('let the snapshot go if they pass', async () => {
    const { snapshot, checks } = await checked.result('file-edit', {
      path: 'a.txt',
      old_text: 'good',
      new_text: 'good!',
    });
    expect([snapshot, checks]).toEqual([null, [expect.objectContaining({ passed: true })]]);
    expect(await checked.snapshots.ids()).toEqual([]);
  });

  it('run once for all writes that came during a run', async () => {
    checked.write('package.json', JSON.stringify({ scripts: { test: 'echo x >> runs' } }));
    const writes = Array.from({ length: 5 }, (_, at) =>
      checked.result('file-write', { path: `w${String(at)}`, content: '' }),
    );
    for (const { checks } of await Promise.all(writes))
      expect(checks).toEqual([expect.objectContaining({ passed: true })]);
    expect(readFileSync(join(checked.root, 'runs'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(3);
  });

  it('say that package.json lacks the script', async () => {
    checked.write('package.json', '{}');
    const { checks } = await checked.result('file-write', { path: 'b', content: '' });
    expect(checks).toEqual([expect.objectContaining({ passed: false, output: expect.stringContaining('no script') })]);
  });
});
