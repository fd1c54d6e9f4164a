import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { findSandbox, type SandboxChoice } from '#lib/workspace';
import { createTreeExecutor } from './execute-tree.js';
import { fakeCall, FakeWorkspaces, PROGRAM_FOLDERS } from './fake-shell-call.js';

const workspaces = new FakeWorkspaces();
afterEach(() => {
  workspaces.remove();
});

/** A machine that has some programs, and a bubblewrap of the test's, or none. */
function machine(bubblewrap: string | null): string {
  const folder = workspaces.create();
  chmodSync(folder, 0o755);
  for (const name of ['echo', 'true', 'mkfifo', 'sh']) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  if (bubblewrap !== null) writeFileSync(join(folder, 'bwrap'), bubblewrap, { mode: 0o755 });
  return folder;
}

/** The answer of this machine itself: a test must not claim a sandbox that is not there. */
const works =
  spawnSync('bwrap', [
    '--unshare-pid',
    '--unshare-net',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    'true',
  ]).status === 0;

describe('a machine without a sandbox', () => {
  test.each([
    ['bubblewrap is not installed', null],
    [
      'bubblewrap does not work on this machine: no namespaces here',
      '#!/bin/sh\necho no namespaces here >&2\nexit 1\n',
    ],
  ])('executes nothing, unless the operator accepts that: %s', async (reason, bubblewrap) => {
    const programFolders = [machine(bubblewrap)];
    const answer = async (choice: SandboxChoice) => {
      const sandbox = await findSandbox(choice, { programFolders, hidden: [], hiddenFiles: [], homes: [] });
      const execute = createTreeExecutor({ programFolders, environment: {}, sandbox });
      return await execute(...fakeCall('echo a', workspaces.create()));
    };
    expect(await answer('required')).toMatchObject({
      ok: false,
      effect: 'not_started',
      error: { code: 'shell.no_sandbox', message: expect.stringContaining(reason) },
    });
    expect(await answer('where_possible')).toMatchObject({
      ok: true,
      result: { stdout: 'a\n', sandbox: 'none', sandbox_reason: reason, network: true },
    });
  });

  test('says that its operator turned the sandbox off', async () => {
    const sandbox = await findSandbox('off', {
      programFolders: PROGRAM_FOLDERS,
      hidden: [],
      hiddenFiles: [],
      homes: [],
    });
    const execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox });
    const sandbox_reason = 'the settings of the runner turn it off';
    expect(await execute(...fakeCall('echo a', workspaces.create()))).toMatchObject({
      result: { sandbox: 'none', sandbox_reason },
    });
  });
});

describe('the folder of the runner’s key (T53)', () => {
  /** A hidden folder beside the workspace, not below /tmp, which is empty in the sandbox. */
  const line = async (command: (data: string) => string, choice: SandboxChoice) => {
    const base = mkdtempSync('/var/tmp/countersign-hidden-');
    const [root, data] = [join(base, 'root'), join(base, 'data')];
    for (const folder of [root, data]) mkdirSync(folder);
    writeFileSync(join(data, 'key.json'), 'the private key');
    writeFileSync(join(root, 'a'), 'a/b');
    symlinkSync(data, join(root, 'link'));
    const sandbox = await findSandbox(choice, {
      programFolders: PROGRAM_FOLDERS,
      hidden: [data],
      hiddenFiles: [],
      homes: [],
    });
    const execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox });
    const answer = await execute(...fakeCall(command(data), root));
    rmSync(base, { recursive: true });
    return answer;
  };
  const readers: readonly (readonly [string, (data: string) => string])[] = [
    ['its path', (data) => `cat ${data}/key.json`],
    ['a path from the workspace', () => 'cat ../data/key.json'],
    ['a symbolic link', () => 'cat link/key.json'],
    ['a file that is missing in it', () => 'cat link/next-key.json'],
    ['a part of a word', (data) => `sort --files0-from=${data}/key.json`],
    ['an option with its path', () => 'grep -f../data/key.json a'],
    ['an expansion', () => 'cat "$PWD/../data/key.json"'],
    ['a folder above it', () => 'grep -r private ..'],
    ['the root of the machine', () => 'ls /'],
    ['code that spells it', (data) => `sh -c 'cat ${data}/key.json'`],
  ];

  test.each(readers)('is no argument of a line without a sandbox: %s', async (_, command) => {
    expect(await line(command, 'off')).toMatchObject({ ok: false, error: { code: 'shell.hidden_path' } });
  });

  test.each(['cat a', 'cut -d/ -f1 a', 'echo key.json > b && cat ./a', 'ls /usr/bin/env'])(
    'stops no other line: %s',
    async (command) => {
      const outcome = await line(() => command, 'off');
      expect(outcome).toMatchObject({ ok: true, result: { exit_status: 0 } });
    },
  );

  test.each(readers)('is empty in a sandbox: %s', async (_, command) => {
    // A machine without a sandbox refuses the line.
    expect(JSON.stringify(await line(command, 'required'))).not.toContain('the private key');
  });

  test('is empty for a program of the workspace’s own too', async () => {
    const answer = await line((data) => `sh -c 'cd ..; cat dat?/*; ls -A ${data}; echo ended'`, 'required');
    expect(answer).toMatchObject(works ? { result: { stdout: 'ended\n' } } : { error: { code: 'shell.no_sandbox' } });
  });
});

describe('the home of the runner’s user (T53)', () => {
  /** A home with a key, two installations of programs, and the workspace. */
  function fakeHome(): { readonly home: string; readonly root: string; readonly programFolders: readonly string[] } {
    const home = mkdtempSync('/var/tmp/countersign-home-');
    const root = join(home, 'work/project');
    const program = (folder: string, name: string, text: string): void => {
      mkdirSync(join(home, folder), { recursive: true });
      writeFileSync(join(home, folder, name), text, { mode: 0o755 });
    };
    program('.nvm/versions/v20/bin', 'greet', '#!/bin/sh\nexec cat "${0%/*}/../share/greeting"\n');
    program('.nvm/versions/v20/share', 'greeting', 'hello\n');
    program('.local/bin', 'wave', '#!/bin/sh\necho bye\n');
    program('.local/share/app/bin', 'linked', '#!/bin/sh\necho linked\n');
    for (const secret of ['.ssh/id_rsa', '.local/share/keyrings/login', '.nvm/token', 'notes'])
      program(secret.replace(/(?:^|\/)[^/]*$/, ''), secret.replace(/.*\//, ''), 'the private key');
    mkdirSync(root, { recursive: true });
    symlinkSync(join(home, '.local/share/app/bin/linked'), join(home, '.local/bin/linked'));
    writeFileSync(join(root, 'a'), 'the file\n');
    const programFolders = [join(home, '.nvm/versions/v20/bin'), join(home, '.local/bin'), ...PROGRAM_FOLDERS];
    return { home, root, programFolders };
  }

  const line = async (command: (home: string) => string) => {
    const { home, root, programFolders } = fakeHome();
    const homes = [home, '/nonexistent', '/usr'];
    const sandbox = await findSandbox('required', { programFolders, hidden: [], hiddenFiles: [], homes });
    const execute = createTreeExecutor({ programFolders, environment: {}, sandbox });
    const answer = await execute(...fakeCall(command(home), root));
    const made = existsSync(join(root, 'made'));
    const escaped = existsSync(join(home, 'made'));
    rmSync(home, { recursive: true });
    return { answer, made, escaped };
  };
  const orRefused = (stdout: string) =>
    works ? { ok: true, result: { stdout } } : { ok: false, error: { code: 'shell.no_sandbox' } };

  test.each<[string, (home: string) => string]>([
    ['its files', (home) => `sh -c 'cat ${home}/.ssh/id_rsa ${home}/notes; grep -rs private ${home}; true'`],
    [
      'the rest of an installation',
      (home) => `sh -c 'cat ${home}/.local/share/keyrings/login ${home}/.nvm/token; true'`,
    ],
    ['a path from the workspace', () => `sh -c 'cat ../../.ssh/id_rsa; true'`],
  ])('is empty for programs: %s', async (_what, command) => {
    expect((await line(command)).answer).toMatchObject(orRefused(''));
  });

  test('keeps the programs that the runner is to find, and the workspace', async () => {
    const { answer, made, escaped } = await line(
      (home) => `greet; wave; linked; cat a; touch made; sh -c 'touch ${home}/made'`,
    );
    expect(answer).toMatchObject(orRefused('hello\nbye\nlinked\nthe file\n'));
    expect([made, escaped]).toEqual([works, false]);
  });
});

describe('a hidden file', () => {
  const line = async (command: (token: string) => string) => {
    const base = mkdtempSync('/var/tmp/countersign-hidden-');
    const [root, token] = [join(base, 'root'), join(base, 'token')];
    mkdirSync(root);
    writeFileSync(token, 'csr_token');
    symlinkSync(token, join(root, 'link'));
    const sandbox = await findSandbox('off', {
      programFolders: PROGRAM_FOLDERS,
      hidden: [],
      hiddenFiles: [token],
      homes: [],
    });
    const execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox });
    const answer = await execute(...fakeCall(command(token), root));
    rmSync(base, { recursive: true });
    return answer;
  };

  test.each<[string, (token: string) => string]>([
    ['its path', (token) => `cat ${token}`],
    ['a path from the workspace', () => 'cat ../token'],
    ['a symbolic link', () => 'cat link'],
    ['a part of a word', (token) => `sort --files0-from=${token}`],
    ['code that spells it', (token) => `sh -c 'cat ${token}'`],
  ])('is no argument of a line without a sandbox: %s (T53)', async (_, command) => {
    expect(await line(command)).toMatchObject({ ok: false, error: { code: 'shell.hidden_path' } });
  });

  test('does not hide the folder that it lies in', async () => {
    expect(await line(() => 'ls ..')).toMatchObject({ ok: true, result: { stdout: 'root\ntoken\n' } });
  });
});

describe(`this machine, whose bubblewrap ${works ? 'works' : 'does not work'}`, () => {
  const outcome = async (line: string, limits = {}) => {
    const root = workspaces.create();
    const sandbox = await findSandbox('where_possible', {
      programFolders: PROGRAM_FOLDERS,
      hidden: [],
      hiddenFiles: [],
      homes: [],
    });
    const execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox });
    const answer = await execute(...fakeCall(line, root, { limits }));
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.result.sandbox).toBe(works ? 'bubblewrap' : 'none');
    expect(answer.result.sandbox_reason).toEqual(works ? null : expect.any(String));
    const { stdout, network } = answer.result;
    return { root, stdout, network };
  };

  test('keeps programs from writing elsewhere', async () => {
    // Not below /tmp, which is empty in the sandbox.
    const elsewhere = mkdtempSync('/var/tmp/elsewhere-');
    const { root, stdout } = await outcome(
      `touch ${elsewhere}/a; echo b > c; touch d; sh -c 'echo e > $TMPDIR/f'; cat $TMPDIR/f; id -u; ls`,
    );
    expect(readdirSync(elsewhere)).toEqual(works ? [] : ['a']);
    rmSync(elsewhere, { recursive: true });
    expect(stdout).toBe(`e\n${String(process.getuid?.())}\nc\nd\n`);
    expect(readFileSync(join(root, 'c'), 'utf8')).toBe('b\n');
  });

  test('gives a network only to a line with a verdict that says so', async () => {
    const { stdout, network } = await outcome('cat /proc/net/dev');
    const devices = (text: unknown): string[] =>
      [...String(text).matchAll(/^ *([\w.@-]+):/gm)].map(([, name]) => String(name));
    expect(network).toBe(!works);
    if (works) expect(devices(stdout)).toEqual(['lo']);
    const connected = await outcome('cat /proc/net/dev; curl --max-time 1 http://127.0.0.1:9/');
    expect(connected.network).toBe(true);
    expect(devices(connected.stdout)).toEqual(devices(readFileSync('/proc/net/dev', 'utf8')));
  });

  test('has the status, the pipes and the quoting of a line without a sandbox', async () => {
    const { stdout } = await outcome(
      `yes | head -n2; sh -c 'exit 3' || echo $?; sh -c 'kill -9 $$' || echo $?; mkdir s; cd s; printf '<%s>' "a  b" '' | cat; pwd; nosuch 2>/dev/null || echo $?`,
    );
    expect(stdout).toMatch(/^y\ny\n3\n137\n<a {2}b><>\/\S+\/s\n127\n$/);
  });

  test('ends also a program that left its group', async () => {
    const { root, stdout } = await outcome(
      'sh -c \'setsid sh -c "sleep 1; touch late; exec sleep 60" & echo started\'',
      { graceMs: 100 },
    );
    expect(stdout).toBe('started\n');
    if (!works) return;
    // The namespace of processes ended with its first one: nothing of it is left to find.
    const left = spawnSync('sh', ['-c', `grep -ls '${root}' /proc/[0-9]*/environ`], { encoding: 'utf8' });
    expect(left.stdout).toBe('');
    expect(existsSync(join(root, 'late'))).toBe(false);
  });
});
