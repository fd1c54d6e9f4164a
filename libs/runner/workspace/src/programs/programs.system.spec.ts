import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../../../../test/support/until.js';
import { fakeWorkspace } from '../fake-workspace.js';
import { findSandbox } from '../sandbox/find-sandbox.js';
import type { SandboxChoice } from '../sandbox/sandbox.js';
import { runProgram } from './run-program.js';

const workspace = fakeWorkspace();
const { root, write, result, code } = workspace;
const scripts = (given: Readonly<Record<string, string>>): void => {
  write('package.json', JSON.stringify({ scripts: given }));
};

afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => {
  workspace.remove();
});

/** Has time limits come when the function that it returns is called. */
function heldTimeLimit(): () => void {
  const limit = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  return () => {
    limit.abort(new DOMException('The time is over.', 'TimeoutError'));
  };
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

describe('test-run', () => {
  it('runs the script "test", or the one that is named', async () => {
    scripts({ test: 'echo tested', lint: 'echo linted >&2; exit 2' });
    expect(await result('test-run')).toEqual({
      script: 'test',
      passed: true,
      exit_code: 0,
      timed_out: false,
      output: 'tested\n',
      truncated: false,
    });
    expect(await result('test-run', { script: 'lint' })).toMatchObject({
      passed: false,
      exit_code: 2,
      output: 'linted\n',
    });
  });

  it.each([
    ['none', 'workspace.no_such_script'],
    ['--help', 'runner.invalid_arguments'],
    ['a b', 'runner.invalid_arguments'],
    ['a;b', 'runner.invalid_arguments'],
  ])('refuses the script %j: %s', async (script, wanted) => {
    scripts({ test: 'echo tested' });
    expect(await code('test-run', { script })).toBe(wanted);
  });

  it('gives nothing of the runner’s environment away, and takes no shell of the workspace', async () => {
    process.env.RUNNER_SECRET_FOR_TEST = 'runner-secret';
    const shell = join(root, 'evil-shell');
    writeFileSync(shell, `#!/bin/sh\ntouch ${join(root, 'evil')}\n`, { mode: 0o755 });
    write('.npmrc', `script-shell=${shell}\n`);
    scripts({ test: 'env; pwd' });
    const { output } = await result('test-run');
    expect(output).not.toContain('runner-secret');
    expect(output).toContain(`${root}\n`);
    expect(existsSync(join(root, 'evil'))).toBe(false);
  });

  it('ends at its time limit with the output so far, and ends all that it started', async () => {
    const limited = fakeWorkspace();
    limited.write('package.json', JSON.stringify({ scripts: { test: 'echo begun; sleep 100 & echo $!; wait' } }));
    const endTime = heldTimeLimit();
    const running = limited.result('test-run');
    const [, pid] = await until(() => /^begun\n(\d+)\n$/.exec(limited.chunks.map(({ text }) => text).join('')));
    endTime();
    expect(await running).toMatchObject({ timed_out: true, passed: false, output: `begun\n${String(pid)}\n` });
    expect(AbortSignal.timeout).toHaveBeenCalledWith(120_000);
    await until(() => isGone(Number(pid)));
    limited.remove();
  });

  it.each([
    ['ends', 'echo over', { timed_out: false, passed: true }],
    ['reaches its time limit', 'exec sleep 100', { timed_out: true, passed: false }],
  ])('does not wait for a program of another group that holds its output open, if it %s', async (_how, last, ended) => {
    const limited = fakeWorkspace();
    const daemon = `setsid sh -c 'echo $$ > daemon; exec sleep 100' & while ! test -s daemon; do sleep 0.02; done`;
    limited.write('package.json', JSON.stringify({ scripts: { test: `${daemon}; echo begun; ${last}` } }));
    const endTime = heldTimeLimit();
    const running = limited.result('test-run');
    await until(() => limited.chunks.length > 0);
    if (ended.timed_out) endTime();
    expect(await running).toMatchObject({ ...ended, output: expect.stringMatching(/^begun\n/) });
    process.kill(Number(readFileSync(join(limited.root, 'daemon'), 'utf8')), 'SIGKILL');
    limited.remove();
  });
});

describe('a script in a sandbox (T53)', () => {
  const folders = [...new Set([dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'])];
  /** A workspace beside the folder of a key. Its script reads the key, writes in and outside the root, and looks for a network. */
  const run = async (choice: SandboxChoice, checks: readonly string[] = []) => {
    const base = mkdtempSync('/var/tmp/countersign-key-');
    writeFileSync(join(base, 'key.json'), 'the private key');
    const sandbox = await findSandbox(choice, { programFolders: folders, hidden: [base], hiddenFiles: [], homes: [] });
    const programs = { path: folders.join(':'), home: join(base, 'home'), scriptSeconds: 120, sandbox };
    const sandboxed = fakeWorkspace({ checks, programs });
    const outside = mkdtempSync('/var/tmp/countersign-outside-');
    sandboxed.write('test.mjs', '');
    sandboxed.write('package.json', JSON.stringify({ scripts: { test: 'node test.mjs' } }));
    const content = `
      import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
      import { networkInterfaces } from 'node:os';
      const tried = (work) => { try { return work(); } catch ({ code }) { return code; } };
      console.log(JSON.stringify({
        stolen: tried(() => copyFileSync(${JSON.stringify(join(base, 'key.json'))}, 'stolen')),
        outside: tried(() => writeFileSync(${JSON.stringify(join(outside, 'made'))}, 'a')),
        inside: tried(() => { writeFileSync('made', 'a'); return readFileSync('made', 'utf8'); }),
        networks: Object.keys(networkInterfaces()).filter((name) => name !== 'lo'),
      }));
    `;
    const written = await sandboxed.result('file-write', { path: 'test.mjs', content });
    const ran = await sandboxed.call('test-run');
    const made = ['stolen', 'made'].filter((name) => existsSync(join(sandboxed.root, name)));
    sandboxed.remove();
    for (const folder of [base, outside]) rmSync(folder, { recursive: true });
    return { written, ran, made, sandbox };
  };

  it('writes to the root alone, without a network and without the runner’s key, also as a check after a write', async () => {
    const { written, ran, made, sandbox } = await run('required', ['test']);
    if (sandbox.kind === 'missing') {
      expect(ran).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'workspace.no_sandbox' } });
      expect(written).toMatchObject({ checks: [{ passed: false, output: expect.stringContaining('bubblewrap') }] });
      return;
    }
    const output = '{"stolen":"ENOENT","outside":"EROFS","inside":"a","networks":[]}\n';
    expect(written).toMatchObject({ checks: [{ passed: true, output }] });
    expect(ran).toMatchObject({ ok: true, result: { passed: true, output } });
    expect(made).toEqual(['made']);
  });

  it('runs without one only if the operator accepts that', async () => {
    const { made } = await run('off', ['test']);
    expect(made).toEqual(['stolen', 'made']);
  });

  it('is refused if its runner needs a sandbox and has none: the code, and the way out', async () => {
    const sandbox = await findSandbox('required', { programFolders: [root], hidden: [], hiddenFiles: [], homes: [] });
    const without = fakeWorkspace({
      programs: { path: process.env.PATH ?? '', home: '/nonexistent', scriptSeconds: 3, sandbox },
    });
    without.write('package.json', JSON.stringify({ scripts: { test: 'touch made' } }));
    expect(await without.call('test-run')).toMatchObject({
      ok: false,
      effect: 'not_started',
      error: {
        code: 'workspace.no_sandbox',
        message: expect.stringMatching(/bubblewrap is not installed.*COUNTERSIGN_RUNNER_SANDBOX/),
      },
    });
    expect(existsSync(join(without.root, 'made'))).toBe(false);
    without.remove();
  });
});

describe('a program', () => {
  const order = (script: string, signal = new AbortController().signal) => ({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: root,
    env: { PATH: process.env.PATH ?? '' },
    signal,
    outputBytes: 100,
  });

  it('leaves no process behind', async () => {
    const { stdout } = await runProgram(order('sleep 100 & echo $!'));
    await until(() => isGone(Number(stdout.toString())));
  });

  it('is read to its end, but kept only up to the cap', async () => {
    const { stdout, truncated, exitCode } = await runProgram(order('yes | head -c 1000000; exit 7'));
    expect([stdout.length, truncated, exitCode]).toEqual([100, true, 7]);
  });

  it('gets its input, and need not read it', async () => {
    expect((await runProgram({ ...order('cat'), input: 'in' })).stdout.toString()).toBe('in');
    expect((await runProgram({ ...order('exit 0'), input: 'x'.repeat(1_000_000) })).exitCode).toBe(0);
  });

  it('ends when the caller cancels', async () => {
    const caller = new AbortController();
    const run = runProgram({
      ...order('echo begun; sleep 100', caller.signal),
      output: () => {
        caller.abort();
      },
    });
    await expect(run).rejects.toThrow('aborted');
  });

  it('that does not exist is an error', async () => {
    mkdirSync(join(root, 'bin'), { recursive: true });
    await expect(runProgram({ ...order(''), program: join(root, 'bin/none') })).rejects.toThrow('ENOENT');
  });
});
