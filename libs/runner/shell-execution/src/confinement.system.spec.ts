import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createTreeExecutor, type ExecuteTree } from './execute-tree.js';
import { fakeCall, FakeWorkspaces, NO_SANDBOX, PROGRAM_FOLDERS } from './fake-shell-call.js';

const SECRET = 'outside-secret';
const workspaces = new FakeWorkspaces();
let root: string;
let outside: string;
let execute: ExecuteTree;

beforeAll(() => {
  execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox: NO_SANDBOX });
});
beforeEach(() => {
  [root, outside] = [workspaces.create(), workspaces.create()];
  writeFileSync(join(outside, 'secret'), SECRET);
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'sub/file'), 'inside\n');
  symlinkSync(join(outside, 'secret'), join(root, 'link'));
  symlinkSync(outside, join(root, 'folder-link'));
  symlinkSync('sub/file', join(root, 'inner-link'));
  linkSync(join(outside, 'secret'), join(root, 'hard'));
  spawnSync('mkfifo', [join(root, 'pipe')]);
});
afterEach(() => {
  workspaces.remove();
});

const run = async (line: string) => await execute(...fakeCall(line, root));
const output = async (line: string): Promise<unknown> => {
  const answer = await run(line);
  return answer.ok ? answer.result.stdout : answer.error.code;
};
const script = (path: string, text: string): void => {
  writeFileSync(join(root, path), `#!/bin/sh\n${text}\n`);
  chmodSync(join(root, path), 0o755);
};

describe('a path that leads out of the workspace (T53)', () => {
  test.each([
    ['echo x > ../out', 'shell.outside_root'],
    ['touch ok; cat < sub/../../outside/secret', 'shell.outside_root'],
    ['touch ok; echo x > /tmp/out', 'shell.outside_root'],
    ['touch ok; echo x >> /etc/passwd', 'shell.outside_root'],
    ['touch ok; cat < /etc/passwd', 'shell.outside_root'],
    ['touch ok; ls ../*', 'shell.outside_root'],
    ['touch ok; ls /etc/*', 'shell.outside_root'],
    ['touch ok; /opt/evil/ls', 'shell.program_outside'],
    ['touch ok; /usr/bin/../bin/ls', 'shell.program_outside'],
    ['touch ok; ./folder-link/secret', 'shell.program_outside'],
  ])('is refused before anything starts: %s', async (line, code) => {
    expect(await run(line)).toMatchObject({ ok: false, effect: 'not_started', error: { code } });
    expect(existsSync(join(root, 'ok'))).toBe(false);
  });

  test.each([
    ['echo x > link', 'shell.symbolic_link'],
    ['cat < link', 'shell.symbolic_link'],
    ['cat < inner-link', 'shell.symbolic_link'],
    ['echo x > folder-link/new', 'shell.symbolic_link'],
    ['cat < folder-link/secret', 'shell.symbolic_link'],
    ['cd folder-link', 'shell.symbolic_link'],
    ['cd sub && cd ../..', 'shell.outside_root'],
    ['cd sub; echo x > ../../out', 'shell.outside_root'],
    ['cd ~', 'shell.outside_root'],
    ['cd /', 'shell.outside_root'],
    ['echo x > "$HOME/../out"', 'shell.outside_root'],
    ['echo x > "$(echo /tmp/out)"', 'shell.outside_root'],
    ['ls $(echo "/etc/*")', 'shell.outside_root'],
    ['echo x > hard', 'shell.hard_link'],
    ['cat < hard', 'shell.hard_link'],
    ['ls */../..', 'shell.pattern_with_parent'],
  ])('ends the line: %s', async (line, code) => {
    expect(await run(`${line}; touch behind`)).toMatchObject({ ok: false, error: { code } });
    expect(existsSync(join(root, 'behind'))).toBe(false);
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe(SECRET);
  });

  test('may be /dev/null, and a folder of the call itself', async () => {
    expect(
      await output('echo x > /dev/null; cat < /dev/null; echo y > $TMPDIR/a; cat < $TMPDIR/a; ls $TMPDIR/*'),
    ).toMatch(/^y\n\/\S+\/a\n$/);
    expect(await output('ls -A ~')).toBe('');
  });

  test('is no named pipe, which would hold the runner', async () => {
    expect(await run('cat < pipe')).toMatchObject({
      ok: true,
      result: { exit_status: 1, stderr: 'pipe: Is no regular file\n' },
    });
    expect(await run('echo x > pipe')).toMatchObject({ ok: true, result: { exit_status: 1 } });
  });

  test('does not come by a folder that is swapped for a link, again and again', async () => {
    mkdirSync(join(root, 'swapped'));
    const child = spawn(process.execPath, [
      '--eval',
      `const fs = require('node:fs');
       const [at, away, outside] = ${JSON.stringify([join(root, 'swapped'), join(root, 'away'), outside])};
       console.log('ready');
       for (;;) {
         try { fs.renameSync(at, away); fs.symlinkSync(outside, at); } catch {}
         try { fs.unlinkSync(at); fs.renameSync(away, at); } catch {}
       }`,
    ]);
    try {
      await once(child.stdout, 'data');
      const codes = new Set<string>();
      for (let round = 0; round < 40; round++) {
        const answer = await run(`echo ${SECRET} > swapped/a 2>/dev/null; cd swapped && echo ${SECRET} > b; echo *`);
        codes.add(answer.ok ? 'ok' : answer.error.code);
      }
      // The race took place: both sides were seen.
      expect([...codes].sort()).toEqual(['ok', 'shell.symbolic_link']);
    } finally {
      child.kill('SIGKILL');
    }
    expect(readdirSync(outside)).toEqual(['secret']);
  });
});

describe('a pattern', () => {
  test('never becomes an option (T51)', async () => {
    for (const name of ['-rf', '--compress-program=sh', 'sub/-x']) writeFileSync(join(root, name), '');
    expect(await output("printf '%s\\n' -* --com*m=sh sub/* $(echo '-r*')")).toBe(
      './--compress-program=sh\n./-rf\n./--compress-program=sh\nsub/-x\nsub/file\n./-rf\n',
    );
    expect(await output('rm -f *f; ls -d -- -*')).toBe('./--compress-program=sh\n');
    expect(existsSync(join(root, 'sub'))).toBe(true);
  });

  test('sees links, and does not enter them', async () => {
    expect(await output('echo */secret */file */ *link')).toBe('*/secret sub/file sub/ folder-link inner-link link\n');
  });

  test('looks at so many files and no more', async () => {
    const [call, context] = fakeCall('echo * */*', root, { limits: { entries: 8 } });
    expect(await execute(call, context)).toMatchObject({ ok: false, error: { code: 'shell.too_many_files' } });
  });

  test('takes time in proportion to its length', async () => {
    writeFileSync(join(root, 'a'.repeat(250)), '');
    const began = performance.now();
    expect(await output(`echo ${'*a'.repeat(60)}b`)).toBe(`${'*a'.repeat(60)}b\n`);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('refuses a name that no argument can hold', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), '');
    expect(await output('echo *')).toBe('shell.name_not_utf8');
  });
});

describe('a program (T51)', () => {
  test('is never found in the current folder', async () => {
    script('ls', 'echo planted');
    script('planted', 'echo planted');
    expect(await output('ls -d sub; planted')).toBe('sub\n');
    expect(await output('./planted; cd sub; ../planted')).toBe('planted\nplanted\n');
  });

  test('is no text without an interpreter', async () => {
    writeFileSync(join(root, 'plain'), 'echo by a shell\n', { mode: 0o755 });
    expect(await run('./plain')).toMatchObject({ ok: true, result: { exit_status: 126, stdout: '' } });
  });

  test('sees no variable and no descriptor of the runner', async () => {
    process.env.RUNNER_SECRET = SECRET;
    process.env.RIPGREP_CONFIG_PATH = '/tmp/rc';
    const seen = String(await output('env; ls -l /proc/self/fd'));
    delete process.env.RUNNER_SECRET;
    delete process.env.RIPGREP_CONFIG_PATH;
    expect(seen).not.toMatch(/RUNNER_SECRET|RIPGREP|NODE_|npm_/);
    expect(seen).toMatch(/^GIT_CONFIG_GLOBAL=\/dev\/null$/m);
    const targets = [...seen.matchAll(/ (\d+) -> (.*)$/gm)].filter(
      ([, at, to]) => Number(at) > 2 && to !== '/dev/null',
    );
    // ls itself reads the folder.
    expect(targets.map(([, , to]) => to)).toEqual([expect.stringMatching(/^\/proc\/\d+\/fd$/)]);
  });

  test('has an empty input, a fixed umask and no terminal', async () => {
    const before = process.umask(0);
    try {
      expect(await output("cat; sh -c 'umask; touch made'; stat -c %a made; echo x > told; stat -c %a told; tty")).toBe(
        '0022\n644\n644\nnot a tty\n',
      );
      expect(process.umask(0)).toBe(0);
    } finally {
      process.umask(before);
    }
  });

  test('of git runs nothing that the repository names', async () => {
    const git = (...words: string[]) => spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' });
    git('init', '-q');
    git('add', 'sub');
    for (const name of ['hook', 'pre-commit', 'post-checkout']) script(name, `touch ${root}/ran-${name}; cat`);
    for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'gpg.program', 'credential.helper']) {
      git('config', key, join(root, 'hook'));
    }
    git('config', 'core.hooksPath', root);
    git('config', 'commit.gpgSign', 'true');
    writeFileSync(join(root, 'sub/file'), 'changed\n');
    const answer = await run(
      'git status --short; git diff; git log; git -c user.name=a -c user.email=a@b commit -qam all; git checkout -q -b other; git show',
    );
    expect(answer).toMatchObject({
      ok: true,
      result: { exit_status: 0, stderr: expect.not.stringContaining('cannot run') },
    });
    // By git diff and by git show.
    expect(answer.ok && JSON.stringify(answer.result.stdout).split('+changed')).toHaveLength(3);
    expect(readdirSync(root).filter((name) => name.startsWith('ran-'))).toEqual([]);
  });
});

test('T53: the runner judges the call anew, before anything starts', async () => {
  const answer = await execute(...fakeCall('cat sub/file; touch made', root, { authority: { tier: 1 } }));
  expect(answer).toMatchObject({ ok: false, error: { code: 'shell.tier_not_approved' }, effect: 'not_started' });
  expect(existsSync(join(root, 'made'))).toBe(false);
});

describe('unsafe settings', () => {
  test.each([
    ['a relative folder of programs', { programFolders: ['bin'] }],
    ['a folder of programs that does not exist', { programFolders: ['/nonexistent/bin'] }],
    ['a folder of programs that everybody can write to', { programFolders: ['/tmp'] }],
    ['no folder of programs', { programFolders: [] }],
    ['a library to preload', { environment: { LD_PRELOAD: '/tmp/a.so' } }],
    ['a script for bash', { environment: { BASH_ENV: '/tmp/a' } }],
    ['a configuration of git', { environment: { GIT_CONFIG_GLOBAL: '/tmp/a' } }],
  ])('are refused: %s', (_, changed) => {
    const settings = { programFolders: PROGRAM_FOLDERS, environment: {}, sandbox: NO_SANDBOX, ...changed } as const;
    expect(() => createTreeExecutor(settings)).toThrow('start.wrong_setting');
  });

  test('end each call: a folder of programs in the workspace', async () => {
    mkdirSync(join(root, 'bin'), { mode: 0o755 });
    const unsafe = createTreeExecutor({ programFolders: [join(root, 'bin')], environment: {}, sandbox: NO_SANDBOX });
    expect(await unsafe(...fakeCall('true', root))).toMatchObject({ error: { code: 'shell.program_folder_in_root' } });
  });
});
