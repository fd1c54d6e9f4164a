import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { heldTimers } from '../../../../test/support/passed-waits.js';
import { until } from '../../../../test/support/until.js';
import { createTreeExecutor, type ExecuteTree } from './execute-tree.js';
import { fakeCall, FakeWorkspaces, NO_SANDBOX, PROGRAM_FOLDERS } from './fake-shell-call.js';

const workspaces = new FakeWorkspaces();
let root: string;
let execute: ExecuteTree;

beforeAll(() => {
  execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: {}, sandbox: NO_SANDBOX });
});
beforeEach(() => {
  root = workspaces.create();
});
afterEach(() => {
  jest.restoreAllMocks();
  workspaces.remove();
});

const run = async (line: string, changes: Parameters<typeof fakeCall>[2] = {}) =>
  await execute(...fakeCall(line, root, changes));

/** True if the process that wrote its number into a file still runs. */
function lives(file: string): boolean {
  try {
    const pid = readFileSync(join(root, file), 'utf8').trim();
    return pid !== '' && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const FAST = { graceMs: 300 };
const LIMITED = { ...FAST, timeMs: 7_000 };

describe('the end of a line', () => {
  test('comes at its time limit, also for programs that ignore the signal and their children', async () => {
    const line = `sh -c 'trap "" TERM; sleep 60 & echo $! > child; echo $$ > parent; while true; do sleep 1; done' | cat; touch behind`;
    const endTime = heldTimers(LIMITED.timeMs);
    const running = run(line, { limits: LIMITED });
    await until(() => lives('parent') && lives('child'));
    endTime();
    expect(await running).toMatchObject({ ok: false, effect: 'unknown', error: { code: 'shell.time_limit' } });
    await until(() => !lives('parent') && !lives('child'));
    expect(existsSync(join(root, 'behind'))).toBe(false);
  });

  test('comes before anything starts, if the folder of the workspace is gone', async () => {
    rmSync(root, { recursive: true });
    expect(await run('ls')).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'shell.no_root' } });
  });

  test('comes with the time of the whole call, and says so', async () => {
    const answer = await run('sleep 60', { signal: AbortSignal.timeout(300), limits: FAST });
    expect(answer).toMatchObject({ ok: false, error: { code: 'shell.time_limit' } });
  });

  test('comes as soon as the caller cancels', async () => {
    const controller = new AbortController();
    const answer = run("sh -c 'echo $$ > parent; exec sleep 60'; touch behind", {
      signal: controller.signal,
      limits: FAST,
    });
    await until(() => lives('parent'));
    controller.abort();
    expect(await answer).toMatchObject({ ok: false, effect: 'unknown', error: { code: 'shell.cancelled' } });
    expect(lives('parent')).toBe(false);
    expect(existsSync(join(root, 'behind'))).toBe(false);
  });

  test('comes before the start if the caller is gone already', async () => {
    const answer = await run('echo a > made', { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'shell.cancelled' } });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  test('ends the processes that a program left in its group', async () => {
    const answer = await run("sh -c 'sleep 60 & echo $! > child; echo left'", { limits: FAST });
    expect(answer).toMatchObject({ ok: true, result: { exit_status: 0, stdout: 'left\n' } });
    expect(lives('child')).toBe(false);
  });

  test.each([
    ['a substitution', (held: string) => `echo $(${held}); touch behind`],
    ['a pipe', (held: string) => `${held} | cat; touch behind`],
  ])('comes at its time limit if a program that left its group holds %s open', async (_what, around) => {
    const daemon = `sh -c 'setsid sh -c "echo \\$\\$ > daemon; exec sleep 60" & while ! test -s daemon; do sleep 0.02; done'`;
    const endTime = heldTimers(LIMITED.timeMs);
    const running = run(around(daemon), { limits: LIMITED });
    await until(() => lives('daemon'));
    endTime();
    expect(await running).toMatchObject({ ok: false, effect: 'unknown', error: { code: 'shell.time_limit' } });
    expect(existsSync(join(root, 'behind'))).toBe(false);
    process.kill(Number(readFileSync(join(root, 'daemon'), 'utf8')), 'SIGKILL');
  });

  test('does not reach a program that left its group, and the result says that there is no sandbox', async () => {
    const daemon = await run(
      'sh -c \'setsid sh -c "echo \\$\\$ > daemon; exec sleep 60" & while ! test -s daemon; do sleep 0.02; done\'',
      {
        limits: FAST,
      },
    );
    expect(daemon).toMatchObject({ ok: true, result: { sandbox: 'none', sandbox_reason: expect.any(String) } });
    expect(lives('daemon')).toBe(true);
    process.kill(Number(readFileSync(join(root, 'daemon'), 'utf8')), 'SIGKILL');
  });
});

describe('output', () => {
  test('is cut off at its cap, and the line goes on', async () => {
    const answer = await run('seq 1 100000; echo done >&2', { limits: { outputBytes: 1_000 } });
    expect(answer).toMatchObject({
      ok: true,
      result: { exit_status: 0, stdout_truncated: true, stderr: 'done\n', stderr_truncated: false },
    });
    expect(answer.ok && (answer.result.stdout as string).length).toBe(1_000);
  });

  test('is streamed while the line runs', async () => {
    const chunks: string[] = [];
    const controller = new AbortController();
    const answer = run("sh -c 'echo first; echo second >&2; exec sleep 60'", {
      signal: controller.signal,
      limits: FAST,
      output: ({ stream, text }) => chunks.push(`${stream}: ${text}`),
    });
    await until(() => chunks.length === 2);
    controller.abort();
    await answer;
    expect(chunks.sort()).toEqual(['stderr: second\n', 'stdout: first\n']);
  });

  test('is masked, also if a secret comes in two pieces, or over two lines', async () => {
    const secret = 'first-half\nsecond-half';
    const chunks: string[] = [];
    const line =
      'sh -c \'printf first-ha; sleep 0.3; printf "lf\\nsecond"; sleep 0.3; echo -half; echo token=abcdefgh1234\'';
    const answer = await run(line, { secretsToMask: [secret], output: ({ text }) => chunks.push(text) });
    expect(answer).toMatchObject({ ok: true, result: { stdout: '[masked]\ntoken=[masked]\n' } });
    expect(chunks.join('')).toBe('[masked]\ntoken=[masked]\n');
  });

  test('keeps a character that comes in two pieces', async () => {
    const chunks: string[] = [];
    await run('sh -c \'printf "\\303"; sleep 0.2; printf "\\251"\'', { output: ({ text }) => chunks.push(text) });
    expect(chunks.join('')).toBe('é');
  });
});

describe('a cap', () => {
  test('on the output of a substitution ends the line, and the program that writes for ever', async () => {
    const answer = await run('touch made; echo $(yes; touch late)', { limits: { substitutionBytes: 10_000 } });
    expect(answer).toMatchObject({ ok: false, effect: 'unknown', error: { code: 'shell.substitution_too_large' } });
    expect(readdirSync(root)).toEqual(['made']);
  });

  test('on the arguments of a program ends the line', async () => {
    const answer = await run('echo $(seq 1 3000)', { limits: { argumentBytes: 10_000 } });
    expect(answer).toMatchObject({ ok: false, error: { code: 'shell.arguments_too_large' } });
  });

  test('of the kernel on one argument is a failure of the command', async () => {
    const answer = await run('echo "$(seq 1 30000)" || echo status $?', { limits: { substitutionBytes: 1_000_000 } });
    expect(answer).toMatchObject({ ok: true, result: { stdout: 'status 126\n' } });
  });

  test('ends a line with a substitution that is no text', async () => {
    writeFileSync(join(root, 'bytes'), Buffer.from([0xff, 0xfe]));
    expect(await run('echo $(cat bytes)')).toMatchObject({ ok: false, error: { code: 'shell.substitution_not_text' } });
  });
});

describe('many at once', () => {
  test('do not disturb each other', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, at) => `echo ${String(at)} | cat | cat <<< "$(seq 1 ${String(at)} | wc -l)"`,
    );
    const answers = await Promise.all(lines.map((line) => run(line)));
    expect(answers.map((answer) => answer.ok && answer.result.stdout)).toEqual(lines.map((_, at) => `${String(at)}\n`));
  });

  test('leave no descriptor and no folder behind', async () => {
    const left = async (): Promise<number> => {
      const answer = await run('ls -d /proc/self/cwd');
      expect(answer.ok).toBe(true);
      return readdirSync('/proc/self/fd').length;
    };
    process.env.TMPDIR = root;
    const before = await left();
    for (const line of [
      'cat <<< a | cat > b',
      'echo > /nope',
      'nosuch | cat',
      'cat < nosuch',
      'echo $(echo a) *',
      'cd /',
    ])
      await run(line);
    await until(() => readdirSync('/proc/self/fd').length <= before);
    expect(readdirSync(root)).toEqual(['b']);
  });
});
