import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectStatus } from '../support/api.js';
import { putCurrent } from '../support/put-current.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

let world: RunnerWorld;
let runnerId: string;
let session: string;
let programs: string;

/** A program that writes its arguments, each ended by NUL, and its environment. */
const TELL = `#!/bin/sh
for each in "$@"; do printf '%s\\0' "$each"; done > "$HOOK_OUT.part"
env > "$HOOK_OUT.env"
mv "$HOOK_OUT.part" "$HOOK_OUT"
echo told sk-ant-api03-${'a'.repeat(40)}
`;

function program(name: string, text: string): string {
  const path = join(programs, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

interface Execution {
  readonly hook: string;
  readonly event: string;
  readonly state: string;
  readonly output: string | null;
  readonly exit_status: number | null;
  readonly fault: { readonly code: string } | null;
}

const executions = async (hook: string): Promise<readonly Execution[]> =>
  expectStatus(await world.admin.get(`/v1/lifecycle-hooks/executions?hook=${hook}`), 200).body
    .items as readonly Execution[];

const settled = (hook: string, count = 1): Promise<readonly Execution[]> =>
  until(async () => {
    const found = (await executions(hook)).filter(({ state }) => state !== 'pending' && state !== 'sent');
    return found.length >= count ? found : null;
  });

const put = async (hooks: string): Promise<void> => {
  const source = `runner: {pool: builders, environment: staging}\nhooks:\n${hooks}`;
  expectStatus(await putCurrent(world.admin, '/v1/lifecycle-hooks', { source }), 200);
};

/** Until the runner has said which programs its operator lists. */
const untilHooks = (names: readonly string[]): Promise<unknown> =>
  until(async () => {
    const runner = (await world.seenRunner(runnerId)) as unknown as { readonly hooks: readonly string[] };
    return JSON.stringify(runner.hooks) === JSON.stringify(names);
  });

const search = async (pattern: string): Promise<void> => {
  const asked = await world.agent.post(`/v1/sessions/${session}/tool-calls`, {
    tool: 'text-search',
    arguments: { pattern },
  });
  expect(asked.body).toMatchObject({ outcome: 'allowed' });
};

const argumentsIn = (out: string): readonly string[] => readFileSync(out, 'utf8').split('\0').slice(0, -1);

beforeAll(async () => {
  world = await runnerWorld();
  const { id } = expectStatus(await world.agent.post('/v1/sessions', { environment: 'staging' }), 201).body;
  session = String(id);
  programs = join(dirname(world.folder().root), 'programs');
  mkdirSync(programs, { recursive: true });
  const listed = {
    tell: program('tell.sh', TELL),
    fail: program('fail.sh', '#!/bin/sh\necho broken >&2\nexit 3\n'),
    hang: program('hang.sh', '#!/bin/sh\nsleep 300 & echo $! > "$HOOK_OUT"\nsleep 300\n'),
  };
  ({ id: runnerId } = await world.started('hooks-01', {
    COUNTERSIGN_RUNNER_HOOKS: Object.entries(listed)
      .map(([name, path]) => `${name}=${path}`)
      .join(','),
  }));
}, 120_000);
afterAll(async () => {
  await world.stopRunners();
  await world.close();
});

describe('a command hook', () => {
  it('T32: executes a program of a runner once a tool was called, with values that no shell reads', async () => {
    await untilHooks(['tell', 'fail', 'hang']);
    const out = join(programs, 'hostile');
    await put(`
  - name: tell
    event: tool.completed
    matcher: "text_*"
    action: {type: command, command: [tell, --, never], variables: {HOOK_OUT: ${out}.never}}
  - name: tell-args
    event: tool.completed
    matcher: "text-*"
    action: {type: command, command: [tell, "a b", --, "{{args.pattern}}", "{{toolName}}"], variables: {HOOK_OUT: ${out}, HOOK_PATTERN: "{{args.pattern}}"}}
`);
    for (const hostile of ['-rf', '$(id)', '; rm -rf /', 'one\ntwo', '`id` | sh > /tmp/x "\'']) {
      await search(hostile);
      const count = (await executions('tell-args')).length;
      await until(async () => {
        const found = await settled('tell-args');
        return found.length > count && existsSync(out) && argumentsIn(out)[2] === hostile ? true : null;
      });
      expect(argumentsIn(out)).toEqual(['a b', '--', hostile, 'text-search']);
    }
    const [latest] = await executions('tell-args');
    expect(latest).toMatchObject({ state: 'succeeded', exit_status: 0 });
    expect(latest?.output).toContain('told');
    expect(latest?.output).not.toContain('sk-ant');
    expect(existsSync(`${out}.never`)).toBe(false);
    const environment = readFileSync(`${out}.env`, 'utf8');
    expect(environment).not.toContain('COUNTERSIGN');
    expect(environment).toContain('HOOK_PATTERN=');
  });

  it('refuses a value that begins with - before --, and starts nothing', async () => {
    const out = join(programs, 'dashed');
    await put(`
  - name: dashed
    event: tool.completed
    action: {type: command, command: [tell, "{{args.pattern}}"], variables: {HOOK_OUT: ${out}}}
`);
    await search('-rf');
    expect(await settled('dashed')).toMatchObject([
      { state: 'refused', fault: { code: 'lifecycle_hook.leading_dash' } },
    ]);
    await search('fine');
    expect((await settled('dashed', 2))[0]).toMatchObject({ state: 'succeeded' });
    expect(argumentsIn(out)).toEqual(['fine']);
  });

  it('that fails, hangs or is not listed is logged, and changes nothing for the agent', async () => {
    const out = join(programs, 'hanging');
    await put(`
  - {name: fail, event: tool.completed, action: {type: command, command: fail}}
  - {name: unlisted, event: tool.completed, action: {type: command, command: nowhere}}
  - name: hang
    event: tool.completed
    action: {type: command, command: hang, timeout_seconds: 1, variables: {HOOK_OUT: ${out}}}
`);
    await search('on');
    expect(await settled('fail')).toMatchObject([
      { state: 'failed', exit_status: 3, output: 'broken\n', fault: { code: 'lifecycle_hook.exit_status' } },
    ]);
    expect(await settled('unlisted')).toMatchObject([
      { state: 'refused', fault: { code: 'lifecycle_hook.not_listed' } },
    ]);
    expect(await settled('hang')).toMatchObject([{ state: 'failed', fault: { code: 'lifecycle_hook.timed_out' } }]);
    // Its whole group was ended.
    await until(() => Promise.resolve(existsSync(`/proc/${readFileSync(out, 'utf8').trim()}/exe`) ? null : true));
    const logged = expectStatus(await world.admin.get('/v1/audit/entries?action=lifecycle_hook_execution.failed'), 200);
    expect((logged.body.items as unknown[]).length).toBeGreaterThanOrEqual(3);
    await search('still');
    await settled('fail', 2);
  });

  it('is switched off and on while Countersign runs', async () => {
    const out = join(programs, 'switched');
    await put(`
  - {name: switched, event: tool.completed, action: {type: command, command: tell, variables: {HOOK_OUT: ${out}}}}
  - {name: other, event: tool.completed, action: {type: log, message: "{{toolName}} {{args.pattern}}"}}
`);
    expectStatus(await world.admin.put('/v1/lifecycle-hooks/switched/enabled', { enabled: false }), 200);
    await search('off');
    expect(await settled('other')).toMatchObject([{ state: 'succeeded', output: 'text-search off' }]);
    expect(await executions('switched')).toEqual([]);
    expectStatus(await world.admin.put('/v1/lifecycle-hooks/switched/enabled', { enabled: true }), 200);
    await search('on');
    expect(await settled('switched')).toMatchObject([{ state: 'succeeded' }]);
    expectStatus(await world.admin.put('/v1/lifecycle-hooks/nobody/enabled', { enabled: true }), 404);
  });
});

describe('agent.error', () => {
  it('is raised by a report of an agent and by a call that failed', async () => {
    await put(`
  - {name: errors, event: agent.error, action: {type: log, message: "{{agentName}} {{error}} {{toolName}}"}}
`);
    expectStatus(await world.agent.post('/v1/agent-errors', { error: 'lost\nthe way', tool: 'file-read' }), 204);
    const [reported] = await settled('errors');
    expect(reported).toMatchObject({ event: 'agent.error', state: 'succeeded' });
    expect(reported?.output).toMatch(/lost\nthe way file-read$/);
    const person = await world.admin.post('/v1/agent-errors', { error: 'mine' });
    expect(person.status).toBe(403);
    expect(person.body.code).toBe('agent_error.agents_only');
    const asked = await world.agent.post(`/v1/sessions/${session}/tool-calls`, {
      tool: 'file-read',
      arguments: { path: 'nowhere.txt' },
    });
    expect(asked.body).toMatchObject({ outcome: 'allowed' });
    expect((await settled('errors', 2))[0]?.output).toMatch(/ file-read$/);
  });
});

describe('T35: a halt', () => {
  it('keeps a command from leaving until it is lifted', async () => {
    const out = join(programs, 'halted');
    await put(`
  - {name: halted, event: agent.error, action: {type: command, command: tell, variables: {HOOK_OUT: ${out}}}}
`);
    const halt = expectStatus(await world.admin.post('/v1/halts', { kind: 'tenant', reason: 'A drill.' }), 201).body;
    expectStatus(await world.agent.post('/v1/agent-errors', { error: 'lost' }), 204);
    const waiting = await until(async () => (await executions('halted')).find(({ fault }) => fault !== null) ?? null);
    expect(waiting).toMatchObject({ state: 'pending', fault: { code: 'dispatch.overtaken' } });
    expect(existsSync(out)).toBe(false);
    expectStatus(await world.admin.post(`/v1/halts/${String(halt.id)}/lift`, { note: 'The drill is over.' }), 200);
    await world.api.db.owner.query(
      `update lifecycle_hook_execution set next_attempt_at = now() where state = 'pending'`,
    );
    expect(await settled('halted')).toMatchObject([{ state: 'succeeded' }]);
  });
});
