import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeWorkspace } from '../fake-workspace.js';
import { runProgram } from './run-program.js';

const workspace = fakeWorkspace();
const { root, write, result, code } = workspace;
const scripts = (given: Readonly<Record<string, string>>): void => {
  write('package.json', JSON.stringify({ scripts: given }));
};

afterAll(() => {
  workspace.remove();
});

/** Waits until a process no longer exists. */
async function gone(pid: number): Promise<boolean> {
  const deadline = performance.now() + 5_000;
  while (performance.now() < deadline) {
    try {
      process.kill(pid, 0);
      const state = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
      if (state.includes(') Z ')) return true;
    } catch {
      return true;
    }
    await new Promise(setImmediate);
  }
  return false;
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
    const limited = fakeWorkspace({
      programs: { path: process.env.PATH ?? '', home: '/nonexistent', scriptSeconds: 3 },
    });
    limited.write('package.json', JSON.stringify({ scripts: { test: 'echo begun; sleep 100 & echo $!; wait' } }));
    const { output, timed_out: timedOut, passed } = await limited.result('test-run');
    expect([timedOut, passed]).toEqual([true, false]);
    const [, pid] = /begun\n(\d+)\n/.exec(output as string) ?? [];
    expect(await gone(Number(pid))).toBe(true);
    limited.remove();
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
    expect(await gone(Number(stdout.toString()))).toBe(true);
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
