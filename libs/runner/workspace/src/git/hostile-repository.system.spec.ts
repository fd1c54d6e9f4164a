import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeRepository, removeRepositories } from './fake-repository.js';

afterAll(removeRepositories);

describe('a hostile repository', () => {
  /** Everything by which a repository is known to make git execute a program. */
  const CONFIG = (mark: string, hooks: string) => `
[core]
  fsmonitor = ${mark}
  hooksPath = ${hooks}
  pager = ${mark}
  editor = ${mark}
  sshCommand = ${mark}
  alternateRefsCommand = ${mark}
  attributesFile = .evil
[diff]
  external = ${mark}
[diff "evil"]
  command = ${mark}
  textconv = ${mark}
[filter "evil"]
  clean = ${mark}
  smudge = ${mark}
  process = ${mark}
  required = true
[commit]
  gpgSign = true
[gpg]
  program = ${mark}
[log]
  showSignature = true
[pager]
  log = ${mark}
  diff = ${mark}
[alias]
  status = !${mark}
  log = !${mark}
[credential]
  helper = ${mark}
[extensions]
  partialClone = origin
[remote "origin"]
  url = ext::${mark}
  promisor = true
  uploadpack = ${mark}
`;
  const HOOKS = [
    'pre-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-commit',
    'reference-transaction',
    'post-index-change',
    'fsmonitor-watchman',
  ];

  it('executes nothing', async () => {
    const { write, result, call, git, root, outside } = fakeRepository();
    const touched = join(outside, 'executed');
    const mark = join(outside, 'mark.sh');
    writeFileSync(mark, `#!/bin/sh\necho "$0 $*" >> ${touched}\ncat\n`, { mode: 0o755 });
    write('c.txt', 'c\n');
    git('add', '-A');
    git('commit', '-qm', 'Second');
    git('branch', 'other');
    writeFileSync(
      join(root, '.git/config'),
      readFileSync(join(root, '.git/config'), 'utf8') + CONFIG(mark, join(root, '.git/evil')),
    );
    for (const folder of ['hooks', 'evil']) {
      mkdirSync(join(root, '.git', folder), { recursive: true });
      for (const hook of HOOKS) writeFileSync(join(root, '.git', folder, hook), readFileSync(mark), { mode: 0o755 });
    }
    for (const path of ['.gitattributes', '.git/info/attributes']) write(path, 'a.txt filter=evil diff=evil\n');
    write('a.txt', 'changed\n');
    write('c.txt', 'changed\n');

    // The trap works: git itself would walk into it.
    git('-c', 'safe.directory=*', 'status');
    expect(existsSync(touched)).toBe(true);
    rmSync(touched);

    await result('git-status');
    expect((await result('git-diff')).diff).toContain('+changed');
    await result('git-log');
    await result('git-branch');
    await result('git-branch-create', { name: 'fresh' });
    await result('git-branch-delete', { name: 'other' });
    await result('git-commit', { message: 'Quiet', paths: ['c.txt'] });
    await call('git-diff', { staged: true });
    expect(existsSync(touched)).toBe(false);
  });

  it('fetches nothing that it lacks', async () => {
    const { write, git, root, outside, code } = fakeRepository();
    const touched = join(outside, 'executed');
    const blob = git('rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    for (const [name, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::sh -c touch% ${touched}`],
      ['protocol.ext.allow', 'always'],
    ] as const)
      git('config', name, value);
    write('a.txt', 'changed\n');

    // The trap works: git itself would walk into it.
    expect(() => git('cat-file', '-p', blob)).toThrow('cat-file');
    expect(existsSync(touched)).toBe(true);
    rmSync(touched);

    expect(await code('git-diff')).toBe('workspace.git_failed');
    expect(existsSync(touched)).toBe(false);
  });

  it.each<[string, (root: string, outside: string) => void, string]>([
    [
      '.git is a link',
      (root, outside) => {
        renameSync(join(root, '.git'), join(outside, 'git'));
        symlinkSync(join(outside, 'git'), join(root, '.git'));
      },
      'workspace.not_a_repository',
    ],
    [
      '.git is a file',
      (root, outside) => {
        renameSync(join(root, '.git'), join(outside, 'git'));
        writeFileSync(join(root, '.git'), `gitdir: ${join(outside, 'git')}`);
      },
      'workspace.not_a_repository',
    ],
    [
      'objects are elsewhere',
      (root, outside) => {
        renameSync(join(root, '.git/objects'), join(outside, 'objects'));
        symlinkSync(join(outside, 'objects'), join(root, '.git/objects'));
      },
      'workspace.git_outside',
    ],
    [
      'alternates are elsewhere',
      (root, outside) => {
        writeFileSync(join(root, '.git/objects/info/alternates'), outside);
      },
      'workspace.git_outside',
    ],
    [
      'it is a part of another',
      (root, outside) => {
        writeFileSync(join(root, '.git/commondir'), outside);
      },
      'workspace.git_outside',
    ],
  ])('is refused if %s', async (_, arrange, wanted) => {
    const { root, outside, code } = fakeRepository();
    arrange(root, outside);
    for (const tool of ['git-status', 'git-log', 'git-diff', 'git-branch']) expect(await code(tool)).toBe(wanted);
  });

  it('cannot put its working tree elsewhere', async () => {
    const { outside, git, result, write } = fakeRepository();
    write('a.txt', 'changed\n');
    // git itself fails there.
    git('config', 'core.worktree', join(outside, 'nowhere'));
    expect(await result('git-status')).toMatchObject({ changed: [{ path: 'a.txt' }], untracked: [] });
    await result('git-commit', { message: 'Inside', paths: ['a.txt'] });
    expect(await result('git-status')).toMatchObject({ changed: [], untracked: [] });
  });
});
