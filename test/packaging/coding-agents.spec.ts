import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { executorsDocumentSchema, toolCatalogSchema } from '#lib/formats';
import { parse } from 'yaml';
import { HOOK_HOSTS } from '../../apps/cli/src/hook/hosts/index.js';
import { expectStatus } from '../support/api.js';
import { claudeCall, claudeDecision } from '../support/claude-call.js';
import { compiledPackage } from '../support/compiled-package.js';
import { blocksOf } from '../support/guide.js';
import { hookWorld, type HookWorld } from '../support/hook-world.js';

interface Hook {
  readonly command: string;
  readonly timeout: number;
  readonly onFailure?: string;
}
type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;

const read = (file: string): string => readFileSync(`examples/${file}`, 'utf8');
const hookOf = (file: string, event: string): Hook => {
  const [hook] = (JSON.parse(read(file)) as { hooks: Hooks }).hooks[event]?.[0]?.hooks ?? [];
  if (hook === undefined) throw new Error(`${file} has no hook for ${event}`);
  return hook;
};

let world: HookWorld;
/** The environment of a host: the program `countersign` on its path, as `npm install --global` puts it there. */
let environment: Record<string, string>;

beforeAll(async () => {
  world = await hookWorld();
  const bin = join(world.environment.HOME ?? '', 'bin');
  mkdirSync(bin);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${compiledPackage()}/dist/programs/cli/main.js' "$@"\n`;
  writeFileSync(join(bin, 'countersign'), program, { mode: 0o755 });
  environment = { ...world.environment, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` };
}, 120_000);
afterAll(() => world.close());

/** Copies the settings of an example to the place where the hook looks for them. */
function settle(example: string): void {
  const folder = join(environment.XDG_CONFIG_HOME ?? '', 'countersign');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'hook.yaml'), read(`${example}/hook.yaml`));
}

/** Runs the command of an example as its host does. */
async function hosted({ command }: Hook, input: unknown, more: Readonly<Record<string, string>> = {}) {
  const shell = spawn('/bin/sh', ['-c', command], { env: { ...environment, ...more }, cwd: world.workspace });
  shell.stdin.on('error', () => undefined);
  shell.stdin.end(JSON.stringify(input));
  const [out, err, [exitCode]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  return { out, err, exitCode: exitCode as number };
}

const seconds = (command: string): number => Number(/--wait (\d+)/.exec(command)?.[1] ?? 50);

describe('the example of Claude Code', () => {
  const file = 'claude-code/.claude/settings.json';
  const call = (command: string, more: object = {}) => claudeCall(world.workspace, 1, 'Bash', { command }, more);

  it('is the one of the guide, and its hooks end before their host ends them', () => {
    const [shown] = blocksOf('docs/coding-agents.md').filter(({ language }) => language === 'json');
    expect(shown?.code).toBe(read(file));
    const before = hookOf(file, 'PreToolUse');
    expect(before.onFailure).toBe('block');
    expect(seconds(before.command)).toBeLessThan(before.timeout);
  });

  it('has a call that only reads pass, and one that a person approves, with its outcome', async () => {
    settle('claude-code');
    const before = hookOf(file, 'PreToolUse');
    const reads = await hosted(before, call('git log'));
    expect([reads.exitCode, claudeDecision(JSON.parse(reads.out))[0]]).toEqual([0, 'allow']);
    const push = call('git push');
    const asked = hosted(before, push);
    await world.answer('approve');
    expect(claudeDecision(JSON.parse((await asked).out))[0]).toBe('allow');
    const after = { ...push, hook_event_name: 'PostToolUse', tool_response: { stdout: 'pushed' } };
    expect(await hosted(hookOf(file, 'PostToolUse'), after)).toEqual({ out: '', err: '', exitCode: 0 });
    expect((await world.calls())[0]).toMatchObject({ state: 'succeeded', result: { stdout: 'pushed' } });
    const failed = { ...call('ls'), hook_event_name: 'PostToolUseFailure', error: 'Exit code 2' };
    expect(await hosted(hookOf(file, 'PostToolUseFailure'), failed)).toEqual({ out: '', err: '', exitCode: 0 });
  });

  it('leaves its listed tools to Claude Code, and blocks all others', async () => {
    settle('claude-code');
    const before = hookOf(file, 'PreToolUse');
    const todo = claudeCall(world.workspace, 1, 'TodoWrite', { todos: [] });
    expect(await hosted(before, todo)).toEqual({ out: '', err: '', exitCode: 0 });
    const notebook = claudeCall(world.workspace, 1, 'NotebookEdit', { notebook_path: 'a.ipynb' });
    expect(claudeDecision(JSON.parse((await hosted(before, notebook)).out))[0]).toBe('deny');
  });

  it('blocks by its exit code if the program is not there, or crashes', async () => {
    const before = hookOf(file, 'PreToolUse');
    expect((await hosted(before, call('ls'), { PATH: '/usr/bin:/bin' })).exitCode).toBe(2);
    expect((await hosted(before, call('ls'), { NODE_OPTIONS: '--import=/nowhere.mjs' })).exitCode).toBe(2);
  });
});

describe('the example of Codex', () => {
  const call = (hook_event_name: string, command: string, more: object = {}) => ({
    session_id: 'codex-1',
    transcript_path: null,
    cwd: world.workspace,
    hook_event_name,
    model: 'gpt-5.5-codex',
    permission_mode: 'default',
    turn_id: 'turn-1',
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  });

  it.each([
    ['codex/.codex/hooks.json', 'PreToolUse'],
    ['codex/permission-hooks.json', 'PermissionRequest'],
  ])('%s ends before its host ends it', (file, event) => {
    const { command, timeout } = hookOf(file, event);
    expect(seconds(command)).toBeLessThan(timeout);
    expect(hookOf(file, 'PostToolUse').command).toBe('countersign hook codex');
    expect(hookOf(file, 'SessionEnd')).toMatchObject({ command: 'countersign hook codex', timeout: 3 });
  });

  it('answers before each call, or where Codex would ask', async () => {
    settle('codex');
    const before = hookOf('codex/.codex/hooks.json', 'PreToolUse');
    expect(await hosted(before, call('PreToolUse', 'ls', { tool_use_id: 'call_1' }))).toEqual({
      out: '',
      err: '',
      exitCode: 0,
    });
    const denied = await hosted(before, call('PreToolUse', 'rm -rf /', { tool_use_id: 'call_2' }));
    expect(claudeDecision(JSON.parse(denied.out))[0]).toBe('deny');
    const asked = hosted(
      hookOf('codex/permission-hooks.json', 'PermissionRequest'),
      call('PermissionRequest', 'git push'),
    );
    await world.answer('approve');
    expect(JSON.parse((await asked).out)).toEqual({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    });
  });
});

describe('the example of opencode', () => {
  interface Plugin {
    readonly 'tool.execute.before': (input: object, output: object) => Promise<void>;
    readonly 'tool.execute.after': (input: object, output: object) => Promise<void>;
    readonly event: (input: object) => Promise<void>;
  }
  /** Calls a hook of the plugin in a process of its own: jest loads no module of another kind. @returns the error. */
  async function plugged(steps: readonly (readonly [hook: keyof Plugin, input: object, output: object])[]) {
    const file = pathToFileURL(join(process.cwd(), 'examples/opencode/.opencode/plugins/countersign.js')).href;
    const program = `
      const { Countersign } = await import(${JSON.stringify(file)});
      const plugin = await Countersign({ directory: process.cwd() });
      for (const [hook, input, output] of ${JSON.stringify(steps)})
        await plugin[hook](input, output).then(() => console.log('passes'), (error) => console.log(error.message));
    `;
    const node = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: environment,
      cwd: world.workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(node.stdout), text(node.stderr), once(node, 'exit')]);
    expect(err).toBe('');
    return out.trim().split('\n');
  }
  const bash = (callID: string) => ({ tool: 'bash', sessionID: 'ses_1', callID });

  it('throws unless Countersign allows the call, and reports how it ended', async () => {
    settle('opencode');
    const args = { command: 'git push', description: 'Publishes the fix' };
    const asked = plugged([
      ['tool.execute.before', bash('call_1'), { args }],
      ['tool.execute.after', { ...bash('call_1'), args }, { title: 'git push', output: 'x', metadata: { exit: 1 } }],
      ['tool.execute.before', bash('call_2'), { args: { command: 'sudo reboot' } }],
      ['tool.execute.before', { ...bash('call_3'), tool: 'todowrite' }, { args: { todos: [] } }],
      ['tool.execute.before', { ...bash('call_4'), tool: 'github_merge' }, { args: {} }],
    ]);
    await world.answer('approve');
    expect(await asked).toEqual([
      'passes',
      'passes',
      expect.stringMatching(/^Countersign denied this call: .*\(shell\.[a-z_]+\)/) as string,
      'passes',
      expect.stringContaining('(hook.tool_unmapped)') as string,
    ]);
    expect((await world.calls()).find(({ client_call_id: id }) => id === 'call_1')).toMatchObject({
      reason: 'Publishes the fix',
      state: 'failed',
      error: { code: 'host.tool_failed' },
    });
  });

  it('ends its session with one that is deleted, and with no other event', async () => {
    settle('opencode');
    const open = async () =>
      (expectStatus(await world.api.http(world.bot.token).get('/v1/sessions?state=open'), 200).body.items as unknown[])
        .length;
    const call = { ...bash('call_1'), sessionID: 'ses_ends' };
    expect(await plugged([['tool.execute.before', call, { args: { command: 'ls' } }]])).toEqual(['passes']);
    const opened = await open();
    const told = (type: string) => ({ event: { type, properties: { info: { id: 'ses_ends' } } } });
    expect(await plugged([['event', told('session.updated'), {}]])).toEqual(['passes']);
    expect(await open()).toBe(opened);
    expect(await plugged([['event', told('session.deleted'), {}]])).toEqual(['passes']);
    expect(await open()).toBe(opened - 1);
  });

  it('throws if the program is not there', async () => {
    const saved = environment;
    environment = { ...saved, PATH: '/usr/bin:/bin' };
    const said = await plugged([['tool.execute.before', bash('call_5'), { args: { command: 'ls' } }]]);
    environment = saved;
    expect(said).toEqual([expect.stringContaining('ENOENT') as string]);
  });
});

describe('the guide to coding agents', () => {
  const guide = readFileSync('docs/coding-agents.md', 'utf8');

  it('lists the built-in rules of each host', () => {
    const rows = [...guide.matchAll(/^\| (`[^`]+`) \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
    const listed = (column: number): readonly string[] =>
      rows.flatMap((row) =>
        [...(row[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => `${name} ${row[1] ?? ''}`),
      );
    HOOK_HOSTS.forEach(({ rules }, index) => {
      const built = Object.entries(rules).map(([name, rule]) => `${name} \`${rule === 'host' ? '' : rule.tool}\``);
      const mcp = 'mcp__<server>__<tool> `mcp:<server>:<tool>`';
      expect(
        listed(index + 2)
          .filter((row) => row !== mcp)
          .toSorted(),
      ).toEqual(built.toSorted());
    });
  });

  it('applies a folder whose tools are those of the rules', () => {
    const folder = 'examples/coding-agents/config';
    expect(readdirSync(folder).sort()).toEqual(['autonomy.yaml', 'executors.yaml', 'tools.yaml']);
    const { tools } = toolCatalogSchema.parse(parse(readFileSync(`${folder}/tools.yaml`, 'utf8')));
    const named = HOOK_HOSTS.flatMap(({ rules }) =>
      Object.values(rules).flatMap((rule) => (rule === 'host' ? [] : [rule.tool])),
    );
    expect(Object.keys(tools).sort()).toEqual([...new Set(named)].sort());
    const { executors } = executorsDocumentSchema.parse(parse(readFileSync(`${folder}/executors.yaml`, 'utf8')));
    expect(executors).toEqual({ development: { hands: { kind: 'agent' } } });
  });
});
