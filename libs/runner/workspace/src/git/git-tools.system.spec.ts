import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#lib/canonical';
import { emptyWorkspace, fakeRepository, gitIn, removeRepositories, type FakeRepository } from './fake-repository.js';

afterAll(removeRepositories);

describe('git-status', () => {
  it('agrees with git', async () => {
    const { write, result, git, root } = fakeRepository();
    write('a.txt', 'two\n');
    write('staged.txt', 's');
    git('add', 'staged.txt');
    rmSync(join(root, 'dir/b.txt'));
    write('new/c.txt', 'c');
    write('ignored', 'i');
    write('dir/x.log', 'l');
    mkdirSync(join(root, 'empty'));
    expect(await result('git-status')).toEqual({
      branch: 'main',
      commit: git('rev-parse', 'HEAD').trim(),
      staged: [{ path: 'staged.txt', change: 'A' }],
      changed: [
        { path: 'a.txt', change: 'modified' },
        { path: 'dir/b.txt', change: 'deleted' },
      ],
      untracked: ['new/'],
      truncated: false,
    });
  });

  it.each(['sha1', 'sha256'])(
    'sees a change of content, mode and kind, and none of time alone (%s)',
    async (format) => {
      const { write, result, git, root } = fakeRepository(format);
      for (const name of ['content', 'mode', 'kind', 'time']) write(name, 'same');
      git('add', '-A');
      git('commit', '-qm', 'Second');
      write('content', 'SAME');
      chmodSync(join(root, 'mode'), 0o755);
      rmSync(join(root, 'kind'));
      symlinkSync('content', join(root, 'kind'));
      utimesSync(join(root, 'time'), 1, 1);
      const { changed } = await result('git-status');
      expect((changed as { path: string }[]).map(({ path }) => path)).toEqual(['content', 'kind', 'mode']);
    },
  );

  it('looks into a file that could have been written in the same moment as the index', async () => {
    const { write, result, git, root } = fakeRepository();
    const later = Math.ceil(Date.now() / 1_000) + 100;
    for (const content of ['same', 'SAME']) {
      write('racy', content);
      utimesSync(join(root, 'racy'), later, later);
      if (content === 'same') git('add', 'racy');
    }
    expect(await result('git-status')).toMatchObject({ changed: [{ path: 'racy' }] });
  });

  it('knows a repository without a commit, and a folder without a repository', async () => {
    const empty = emptyWorkspace();
    expect(await empty.code('git-status')).toBe('workspace.not_a_repository');
    gitIn(empty)('init', '-q', '-b', 'main');
    empty.write('a', 'a');
    expect(await empty.result('git-status')).toMatchObject({ branch: 'main', commit: null, untracked: ['a'] });
    expect(await empty.result('git-log')).toEqual({ commits: [] });
  });
});

describe('git-diff', () => {
  it('is a patch that git takes, of files and of the index', async () => {
    const { write, result, git, root } = fakeRepository();
    write('a.txt', 'two\n');
    rmSync(join(root, 'dir/b.txt'));
    const { diff, files } = await result('git-diff');
    expect(files).toBe(2);
    expect(diff).toBe(git('-c', 'core.abbrev=40', 'diff', '--full-index'));
    git('add', 'a.txt');
    expect((await result('git-diff', { staged: true })).diff).toBe(git('diff', '--cached', '--full-index'));
    expect((await result('git-diff', { paths: ['a.txt'] })).diff).toBe('');
    expect(git('status', '--porcelain')).toBe('M  a.txt\n D dir/b.txt\n');
  });

  it('leaves out a file that may hold secrets, unless it is named', async () => {
    const { write, result, git } = fakeRepository();
    write('.env', 'A=1\n');
    git('add', '-A');
    git('commit', '-qm', 'Env');
    write('.env', 'A=hidden\n');
    expect(await result('git-diff')).toMatchObject({ diff: '', left_out: 1 });
    expect((await result('git-diff', { paths: ['.env'] })).diff).toContain('hidden');
  });

  it('shows nothing of a file outside', async () => {
    const { outside, root, result, code } = fakeRepository();
    writeFileSync(join(outside, 'secret'), 'outside-secret\n');
    rmSync(join(root, 'dir'), { recursive: true });
    symlinkSync(outside, join(root, 'dir'));
    writeFileSync(join(outside, 'b.txt'), 'outside-secret\n');
    const { diff } = await result('git-diff');
    expect(diff).not.toContain('outside-secret');
    rmSync(join(root, 'a.txt'));
    linkSync(join(outside, 'secret'), join(root, 'a.txt'));
    expect(await code('git-diff')).toBe('workspace.hard_link');
  });
});

describe('git-log and git-branch', () => {
  it('list commits and branches', async () => {
    const { result, git } = fakeRepository();
    git('branch', 'other');
    const commit = git('rev-parse', 'HEAD').trim();
    expect(await result('git-log', { path: 'a.txt' })).toEqual({
      commits: [{ id: commit, author: 'A', date: expect.any(String), subject: 'First', body: 'The body.' }],
    });
    expect(await result('git-log', { path: 'never' })).toEqual({ commits: [] });
    expect(await result('git-branch')).toEqual({
      current: 'main',
      branches: [
        { name: 'main', commit },
        { name: 'other', commit },
      ],
    });
  });

  it('take a path literally', async () => {
    const { result, write, git } = fakeRepository();
    write('[a].txt', 'x');
    git('add', '-A');
    git('commit', '-qm', 'Brackets');
    const { commits } = await result('git-log', { path: '[a].txt' });
    expect((commits as JsonObject[]).map(({ subject }) => subject)).toEqual(['Brackets']);
    expect(await result('git-log', { path: ':(top)a.txt' })).toEqual({ commits: [] });
  });
});

describe('git-branch-create and git-branch-delete', () => {
  it('create and delete, and roll back', async () => {
    const { result, git } = fakeRepository();
    const created = await result('git-branch-create', { name: 'feature/x' });
    expect(git('branch', '--format=%(refname:short)')).toBe('feature/x\nmain\n');
    git('pack-refs', '--all');
    const deleted = await result('git-branch-delete', { name: 'feature/x' });
    expect(git('branch', '--format=%(refname:short)')).toBe('main\n');
    await result('rollback-checkpoint', { snapshot: deleted.snapshot as string });
    expect(git('branch', '--format=%(refname:short)')).toBe('feature/x\nmain\n');
    git('branch', '-D', 'feature/x');
    await result('rollback-checkpoint', { snapshot: created.snapshot as string });
    expect(git('status', '--porcelain') + git('branch', '--format=%(refname:short)')).toBe('main\n');
  });

  it.each([
    ['git-branch-create', 'main', 'workspace.branch_exists'],
    ['git-branch-create', 'a..b', 'workspace.git_failed'],
    ['git-branch-create', '-x', 'runner.invalid_arguments'],
    ['git-branch-delete', 'main', 'workspace.branch_checked_out'],
    ['git-branch-delete', 'none', 'workspace.no_such_branch'],
    ['git-branch-delete', 'ahead', 'workspace.branch_not_merged'],
  ])('%s refuses %s: %s', async (tool, name, wanted) => {
    const { code, git } = fakeRepository();
    git('checkout', '-qb', 'ahead');
    git('commit', '-qm', 'Ahead', '--allow-empty');
    git('checkout', '-q', 'main');
    expect(await code(tool, { name })).toBe(wanted);
    expect(git('branch', '--format=%(refname:short)')).toBe('ahead\nmain\n');
  });
});

describe('git-commit', () => {
  it('commits the named files alone, and leaves the staged ones staged', async () => {
    const { write, result, git, root } = fakeRepository();
    write('a.txt', 'two\n');
    write('new file', 'n\n');
    chmodSync(join(root, 'new file'), 0o755);
    rmSync(join(root, 'dir/b.txt'));
    write('staged.txt', 's');
    git('add', 'staged.txt');
    const { commit, snapshot } = await result('git-commit', {
      message: 'Second\n\nWhy.',
      paths: ['a.txt', 'new file', 'dir/b.txt'],
    });
    expect(git('log', '-1', '--format=%H %an %B').trim()).toBe(`${commit as string} Test Second\n\nWhy.`);
    expect(git('show', '--format=', '--name-status', '--no-renames')).toBe('M\ta.txt\nD\tdir/b.txt\nA\tnew file\n');
    expect(git('status', '--porcelain')).toBe('A  staged.txt\n');
    expect(git('fsck', '--strict')).toBe('');
    expect(git('reflog', '-1', '--format=%gs')).toBe('commit: Second\n');

    await result('rollback-checkpoint', { snapshot: snapshot as string });
    expect(git('log', '-1', '--format=%s')).toBe('First\n');
    expect(git('status', '--porcelain')).toBe(' M a.txt\n D dir/b.txt\nA  staged.txt\n?? "new file"\n');
  });

  it('makes the first commit', async () => {
    const empty = emptyWorkspace();
    gitIn(empty)('init', '-q', '-b', 'main');
    empty.write('a', 'a');
    await empty.result('git-commit', { message: 'First', paths: ['a'] });
    expect(gitIn(empty)('log', '--format=%s')).toBe('First\n');
  });

  it.each<[string, (world: FakeRepository) => void, string, string]>([
    ['is unchanged', () => undefined, 'a.txt', 'workspace.nothing_to_commit'],
    ['does not exist', () => undefined, 'nothing', 'workspace.not_found'],
    [
      'is ignored',
      ({ write }) => {
        write('x.log', 'x');
      },
      'x.log',
      'workspace.git_ignored',
    ],
    ['is a folder', () => undefined, 'dir', 'workspace.not_a_file'],
    ['is git’s own', () => undefined, '.git/config', 'workspace.not_a_file'],
    [
      'is converted',
      ({ write }) => {
        write('.gitattributes', '*.bin filter=lfs\n');
        write('x.bin', 'x');
      },
      'x.bin',
      'workspace.git_conversion',
    ],
    [
      'has line ends to convert',
      ({ write }) => {
        write('.gitattributes', '* text=auto\n');
        write('a.txt', 'x\r\n');
      },
      'a.txt',
      'workspace.git_conversion',
    ],
    [
      'is in a merge',
      ({ write }) => {
        write('.git/MERGE_HEAD', 'x');
        write('a.txt', 'x');
      },
      'a.txt',
      'workspace.git_busy',
    ],
  ])('refuses a file that %s', async (_, arrange, path, wanted) => {
    const world = fakeRepository();
    arrange(world);
    expect(await world.code('git-commit', { message: 'No', paths: [path] })).toBe(wanted);
    expect(world.git('log', '--format=%s')).toBe('First\n');
  });
});
