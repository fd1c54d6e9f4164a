import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTreeExecutor } from './execute-tree.js';
import { fakeCall, FakeWorkspaces, NO_SANDBOX, PROGRAM_FOLDERS } from './fake-shell-call.js';

const workspaces = new FakeWorkspaces();
const execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox: NO_SANDBOX });
let root: string;
let touched: string;
let trap: string;

afterEach(() => {
  workspaces.remove();
});

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
const git = (folder: string, ...words: string[]) => execFileSync('git', ['-C', folder, ...IDENTITY, ...words]);

/**
 * A repository with one file, changed at the same length so that git reads it anew. The file's attributes want a driver
 * that only its settings can name.
 */
function repository(folder: string): void {
  git(folder, 'init', '-q', '.');
  writeFileSync(join(folder, 'file'), 'one\n');
  writeFileSync(join(folder, '.gitattributes'), 'file filter=evil diff=evil\n');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'First');
  writeFileSync(join(folder, 'file'), 'two\n');
}

beforeEach(() => {
  root = workspaces.create();
  const outside = workspaces.create();
  [touched, trap] = [join(outside, 'touched'), join(outside, 'trap')];
  writeFileSync(trap, `#!/bin/sh\ntouch ${touched}\ncase $# in 0) cat ;; 1) cat "$1" ;; esac\n`, { mode: 0o755 });
  mkdirSync(join(root, 'sub'));
  repository(root);
});

/** git in another folder is Tier 2. */
const run = (line: string, repositoryPrograms: boolean) =>
  execute(...fakeCall(line, root, { authority: { tier: /-C|cd/.test(line) ? 2 : 1, repositoryPrograms } }));
const unapproved = (line: string) => run(line, false);
const approved = (line: string) => run(line, true);

const FILTER = (): string => `[filter "evil"]\n  clean = ${trap}\n`;
const TEXTCONV = (): string => `[diff "evil"]\n  textconv = ${trap}\n`;
const settings = (text: string, folder = root): void => {
  appendFileSync(join(folder, '.git/config'), text);
};

/** The approved line falls into the trap, so that the refusal of the other one proves something. */
async function expectRefusal(line: string, setting: string): Promise<void> {
  expect(await approved(line)).toMatchObject({ ok: true });
  expect(existsSync(touched)).toBe(true);
  rmSync(touched);
  expect(await unapproved(line)).toMatchObject({
    ok: false,
    effect: 'not_started',
    error: {
      code: 'shell.repository_programs',
      message: expect.stringMatching(new RegExp(`"${setting}".* Have a person approve this line`)),
    },
  });
  expect(existsSync(touched)).toBe(false);
}

describe('a program that a repository names (T51)', () => {
  test.each<[string, () => string, string]>([
    ['git status', FILTER, 'filter.evil.clean'],
    ['git diff', TEXTCONV, 'diff.evil.textconv'],
    ['git diff HEAD', () => `[diff]\n  external = ${trap}\n`, 'diff.external'],
    ['git log -p -1', TEXTCONV, 'diff.evil.textconv'],
    ['cd sub && git diff', TEXTCONV, 'diff.evil.textconv'],
    ['git -C sub -C . diff', TEXTCONV, 'diff.evil.textconv'],
    ['timeout 9 git diff', TEXTCONV, 'diff.evil.textconv'],
    [`sh -c 'git diff'`, TEXTCONV, 'diff.evil.textconv'],
    ['git diff && git log', () => `[diff "evil"]\n  command = ${trap}\n`, 'diff.evil.command'],
  ])('is executed by no line that may only read the repository: %s', async (line, text, setting) => {
    settings(text());
    await expectRefusal(line, setting);
  });

  test('is found in a file that the settings include', async () => {
    writeFileSync(join(root, 'more'), TEXTCONV());
    settings('[include]\n  path = ../more\n');
    await expectRefusal('git diff', 'diff.evil.textconv');
  });

  test('is found in a submodule, which git status looks into', async () => {
    const origin = workspaces.create();
    repository(origin);
    git(root, 'submodule', '--quiet', 'add', origin, 'module');
    git(root, 'commit', '-qm', 'Second');
    writeFileSync(join(root, 'module/file'), 'two\n');
    appendFileSync(join(root, '.git/modules/module/config'), FILTER());
    await expectRefusal('git status', 'filter.evil.clean');
  });

  test('is found in the repository that -C names, and not in another one', async () => {
    mkdirSync(join(root, 'other'));
    repository(join(root, 'other'));
    settings(TEXTCONV(), join(root, 'other'));
    expect(await unapproved('git diff')).toMatchObject({ ok: true });
    await expectRefusal('git -C other diff', 'diff.evil.textconv');
  });

  test('is looked for only where git is sure to look', async () => {
    expect(await unapproved(`sh -c 'cd sub; git diff'`)).toMatchObject({
      error: { code: 'shell.repository_unclear', message: expect.stringContaining('git -C FOLDER') },
    });
  });

  test('is not in a folder that only looks like a repository', async () => {
    git(root, 'init', '-q', '--bare', 'bare');
    expect(await approved('git -C bare log')).toMatchObject({
      result: { exit_status: 128, stderr: expect.stringContaining('safe.bareRepository') },
    });
  });

  test('stops no line without it, without git, or that a person approved', async () => {
    const changed = { ok: true, result: { exit_status: 0, stdout: expect.stringContaining('two') } };
    settings(`[core]\n  fsmonitor = true\n[diff "evil"]\n  xfuncname = x\n`);
    expect(await unapproved('git diff')).toMatchObject(changed);
    settings(TEXTCONV());
    expect(await unapproved('cat file')).toMatchObject(changed);
    expect(await approved('git diff')).toMatchObject(changed);
  });

  test('is assumed if the settings cannot be read', async () => {
    settings('[broken\n');
    expect(await unapproved('git diff')).toMatchObject({ error: { code: 'shell.repository_unreadable' } });
  });
});
