import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GrantClaims, HookCall } from '#lib/formats';
import { ProgramGroups } from '#lib/workspace';
import { until } from '../../../test/support/until.js';
import { hookTool } from './hook-tool.js';

const base = mkdtempSync(join(tmpdir(), 'countersign-hooks-'));
const root = join(base, 'root');
mkdirSync(root);
afterAll(() => {
  rmSync(base, { recursive: true });
});
afterEach(() => {
  jest.restoreAllMocks();
});

function program(path: string, text: string, mode = 0o755): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, mode);
  return path;
}

const out = join(base, 'out');
const TELL = `for each in "$@"; do printf '%s\\0' "$each"; done > ${out}; env > ${out}.env`;
const hooks = new Map([
  ['tell', program(join(base, 'tell'), TELL)],
  ['fail', program(join(base, 'fail'), 'echo broken >&2; exit 3')],
  ['loud', program(join(base, 'loud'), 'head -c 100000 /dev/zero | tr "\\0" a')],
  ['hang', program(join(base, 'hang'), `sleep 300 & echo $! > ${out}.pid; sleep 300`)],
  ['closed', program(join(base, 'closed'), 'exit 0', 0o644)],
  ['gone', join(base, 'gone')],
  ['linked', join(base, 'linked')],
  ['headless', join(base, 'headless')],
]);
writeFileSync(join(base, 'headless'), '#!/no/such/interpreter\n', { mode: 0o755 });
symlinkSync(program(join(root, 'mine'), 'exit 0'), join(base, 'linked'));

const tool = hookTool({
  hooks,
  root,
  programFolders: ['/usr/bin', '/bin'],
  groups: new ProgramGroups(join(base, 'groups')),
});
const called = (call: Partial<HookCall>, source: GrantClaims['source']['type'] = 'lifecycle_hook') =>
  tool.call(
    { program: 'tell', arguments: [], variables: {}, timeout_seconds: 20, ...call },
    {
      claims: { source: { type: source, id: 'one' }, shell: null } as GrantClaims,
      signal: new AbortController().signal,
      output: () => undefined,
      secretsToMask: [],
    },
  );

it('gives a program its arguments and variables as they are, and nothing else', async () => {
  const given = ['-rf', '$(id)', '; rm -rf /', 'one\ntwo', '', '`id`', '\'"\\'];
  const end = await called({ arguments: given, variables: { HOOK_A: '$(id)\nPATH=/evil' } });
  expect(end).toEqual({ ok: true, result: { exit_status: 0, output: '', truncated: false } });
  expect(readFileSync(out, 'utf8').split('\0').slice(0, -1)).toEqual(given);
  const environment = readFileSync(`${out}.env`, 'utf8');
  expect(environment).toContain('HOOK_A=$(id)\n');
  expect(environment).toContain('PATH=/usr/bin:/bin\n');
  const names = [...environment.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(new Set(names)).toEqual(
    new Set(['HOOK_A', 'PATH', 'LANG', 'PWD', ...names.filter((name) => name === 'SHLVL' || name === '_')]),
  );
});

it.each([
  ['an exit status', 'fail', { exit_status: 3, output: 'broken\n', truncated: false }],
  ['the beginning of its output', 'loud', { exit_status: 0, output: 'a'.repeat(8_192), truncated: true }],
])('reports %s', async (_what, name, result) => {
  expect(await called({ program: name })).toEqual({ ok: true, result });
});

it('ends a program and all that it started at its time limit', async () => {
  const limit = new AbortController();
  const limits = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const ended = called({ program: 'hang', timeout_seconds: 1 });
  await until(() => existsSync(`${out}.pid`) && readFileSync(`${out}.pid`, 'utf8').endsWith('\n'));
  limit.abort();
  expect(await ended).toMatchObject({ ok: false, effect: 'done', error: { code: 'lifecycle_hook.timed_out' } });
  expect(limits.mock.calls).toEqual([[1_000]]);
  expect(existsSync(`/proc/${readFileSync(`${out}.pid`, 'utf8').trim()}/exe`)).toBe(false);
});

it.each([
  ['a name that is not listed', { program: 'sh' }, 'lifecycle_hook.not_listed'],
  ['a path', { program: 'bin/sh' }, 'lifecycle_hook.not_listed'],
  ['an absolute path', { program: '/bin/sh' }, 'lifecycle_hook.wrong_call'],
  ['a program that is gone', { program: 'gone' }, 'lifecycle_hook.no_program'],
  ['a file that may not be executed', { program: 'closed' }, 'lifecycle_hook.no_program'],
  ['a link into the workspace', { program: 'linked' }, 'lifecycle_hook.no_program'],
  ['a variable that steers programs', { variables: { LD_PRELOAD: 'x' } }, 'lifecycle_hook.wrong_call'],
  ['a longer time limit', { timeout_seconds: 31 }, 'lifecycle_hook.wrong_call'],
])('starts nothing for %s', async (_what, call, code) => {
  expect(await called(call)).toMatchObject({
    ok: false,
    effect: 'not_started',
    error: { code },
  });
});

it('reports a program that cannot be started', async () => {
  expect(await called({ program: 'headless' })).toMatchObject({ ok: false, error: { code: 'lifecycle_hook.ended' } });
});

it.each(['tool_call', 'run', 'simulation'] as const)('starts nothing under a grant for a %s', async (source) => {
  expect(await called({}, source)).toMatchObject({
    ok: false,
    effect: 'not_started',
    error: { code: 'lifecycle_hook.no_execution' },
  });
});
