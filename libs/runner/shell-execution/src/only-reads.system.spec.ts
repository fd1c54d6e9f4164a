import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findSandbox } from '#lib/workspace';
import { secretFiles } from './adapters/secret-files.js';
import { createTreeExecutor } from './execute-tree.js';
import { fakeCall, PROGRAM_FOLDERS } from './fake-shell-call.js';

const TRY = ['--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true'];
/** The answer of this machine itself: a test must not claim a sandbox that is not there. */
const works = spawnSync('bwrap', TRY).status === 0;

let root: string;

beforeEach(() => {
  // Not below /tmp, which is empty in the sandbox.
  root = realpathSync(mkdtempSync('/var/tmp/countersign-only-reads-'));
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('sub/.env', 'KEY=sesame\n');
  write('sub/notes', 'KEY is in the vault\n');
  write('sub/deep/certs/server.key', 'sesame\n');
  write('sub/.env.example', 'KEY=\n');
  write('prod/settings', 'sesame\n');
  symlinkSync('../prod/settings', join(root, 'sub/local.env'));
  symlinkSync('.env', join(root, 'sub/plain'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Executes a line without an approval, or an approved one. Tier 2 stands for a read that the verdict took for harmless. */
async function run(line: string, onlyReads = true): Promise<Readonly<Record<string, unknown>>> {
  const sandbox = await findSandbox('where_possible', {
    programFolders: PROGRAM_FOLDERS,
    hidden: [],
    hiddenFiles: [],
    homes: [],
  });
  const execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox });
  const answer = await execute(...fakeCall(line, root, { authority: { onlyReads } }));
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.result;
}

describe('a line that only reads, without an approval, in a sandbox (T51)', () => {
  test.each([
    "grep -r '' sub",
    'cat sub/plain',
    'cat sub/local.env prod/settings',
    'sh -c "cat sub/.e* sub/*/*/*"',
    'sh -c "cp sub/.env /tmp/x; cat /tmp/x"',
  ])('shows no file that may hold secrets: %s', async (line) => {
    const { stdout, stderr, secret_files } = await run(line);
    expect(secret_files).toBe(works ? 'hidden' : 'readable');
    expect(stdout?.toString().includes('sesame')).toBe(!works);
    expect(stderr?.toString().includes('Permission denied')).toBe(works);
  });

  test('shows all other files, and the names of the hidden ones', async () => {
    const { stdout } = await run("grep -rs KEY sub; ls -A sub; find sub -name '*.key'");
    expect(stdout).toContain('sub/notes:KEY is in the vault\n');
    expect(stdout).toContain('sub/.env.example:KEY=\n');
    expect(stdout).toContain('.env\n');
    expect(stdout).toContain('sub/deep/certs/server.key\n');
  });

  test('has a workspace that no program writes to', async () => {
    const { exit_status: status } = await run('touch made');
    expect([status === 0, existsSync(join(root, 'made'))]).toEqual(works ? [false, false] : [true, true]);
  });

  test('has a temporary folder that its programs write to', async () => {
    expect(await run('sh -c \'echo a > "$TMPDIR/b"; cat "$TMPDIR/b"\'')).toMatchObject({ stdout: 'a\n' });
  });

  test('lets git read its settings, and no other program of the line', async () => {
    spawnSync('git', ['init', '--quiet'], { cwd: root });
    const settings = '[core]\n\tbare = false\n[remote "a"]\n\turl = https://sesame@b.example\n';
    mkdirSync(join(root, '.git/modules/lib'), { recursive: true });
    mkdirSync(join(root, 'bare.git'));
    for (const path of ['.git/config', '.git/modules/lib/config', 'bare.git/config']) {
      writeFileSync(join(root, path), settings);
    }
    expect(await run('git status --short')).toMatchObject({ exit_status: 0, stdout: expect.stringContaining('prod/') });
    expect(await run('timeout 5 git status --short')).toMatchObject({ exit_status: 0 });
    const read = await run('git --version; cat .git/config; grep -r sesame .git/modules bare.git');
    expect(String(read.stdout).includes('sesame')).toBe(!works);
  });

  test('needs the files of the system, wherever a link with the name of a secret leads', async () => {
    symlinkSync('/lib/x86_64-linux-gnu/libc.so.6', join(root, 'sub/a.key'));
    symlinkSync('/proc/self/environ', join(root, 'sub/b.env'));
    expect(await run('cat sub/notes')).toMatchObject({ exit_status: 0, stdout: 'KEY is in the vault\n' });
  });

  test('opens no such file for a redirection, also without a sandbox', async () => {
    expect(await run('cat < sub/.env')).toMatchObject({ exit_status: 1, stdout: '' });
  });
});

test('an approved line reads and writes as it was approved', async () => {
  expect(await run('cat < sub/.env; cat sub/.env; touch made; ls made', false)).toMatchObject({
    stdout: 'KEY=sesame\nKEY=sesame\nmade\n',
    secret_files: 'readable',
  });
});

describe('the look for files that may hold secrets', () => {
  const found = async (bounds?: { entries: number; files: number }) => {
    const { paths, complete } = await secretFiles(root, new AbortController().signal, bounds);
    return { paths: paths.map((path) => relative(root, path)).sort(), complete };
  };
  const ALL = ['prod/settings', 'sub/.env', 'sub/deep/certs/server.key'];

  test('finds them at any depth, and behind symbolic links', async () => {
    expect(await found()).toEqual({ paths: ALL, complete: true });
  });

  test('leaves out the packages of others', async () => {
    mkdirSync(join(root, 'node_modules/a'), { recursive: true });
    writeFileSync(join(root, 'node_modules/a/.npmrc'), '');
    expect((await found()).paths).toEqual(ALL);
  });

  test('follows a link to a folder, out of the workspace and around in a circle too', async () => {
    const elsewhere = mkdtempSync('/var/tmp/countersign-elsewhere-');
    try {
      writeFileSync(join(elsewhere, '.env'), '');
      symlinkSync(elsewhere, join(root, 'sub/keys'));
      symlinkSync('..', join(root, 'sub/up'));
      expect(await found()).toEqual({ paths: [relative(root, join(elsewhere, '.env')), ...ALL], complete: true });
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  test('takes each file of a folder for a secret if a link gives it such a name', async () => {
    mkdirSync(join(root, 'settings'));
    writeFileSync(join(root, 'settings/main'), '');
    symlinkSync('../settings', join(root, 'sub/.aws'));
    expect((await found()).paths).toEqual([...ALL.slice(0, 1), 'settings/main', ...ALL.slice(1)]);
  });

  test.each([
    ['a bound of files and folders', () => undefined, { entries: 3, files: 500 }],
    [
      'a name that is not UTF-8',
      () => {
        mkdirSync(Buffer.concat([Buffer.from(`${root}/Vertr`), Buffer.from([0xe4]), Buffer.from('ge')]));
      },
      { entries: 50_000, files: 500 },
    ],
  ])('says that %s left out some', async (_, arrange, bounds) => {
    arrange();
    expect((await found(bounds)).complete).toBe(false);
  });

  test('refuses a workspace with more of them than a sandbox hides', async () => {
    await expect(found({ entries: 50_000, files: 1 })).rejects.toMatchObject({ code: 'shell.too_many_secrets' });
  });
});
