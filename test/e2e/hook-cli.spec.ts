import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../support/api.js';
import { claudeCall, claudeDecision } from '../support/claude-call.js';
import { hookWorld, type HookWorld } from '../support/hook-world.js';

let world: HookWorld;
beforeAll(async () => {
  world = await hookWorld();
}, 120_000);
afterAll(() => world.close());

/** Each test has a session of its own: calls without a reported outcome stay in flight in theirs. */
let session = 0;
beforeEach(() => {
  session += 1;
});

const claude = (tool: string, input: object, more: object = {}) =>
  claudeCall(world.workspace, session, tool, input, more);
const bash = (command: string) => claude('Bash', { command, description: 'To see it.' });

describe('countersign hook claude-code', () => {
  it('lets a line pass that only reads, and reports how it ended', async () => {
    const call = bash('git status');
    const { exitCode, answer, err } = await world.process('claude-code', call);
    expect([exitCode, err, claudeDecision(answer)]).toEqual([
      0,
      '',
      ['allow', 'Countersign allowed it: its policies ask nobody about this call.'],
    ]);
    expect((await world.calls())[0]).toMatchObject({
      tool: 'shell',
      client_call_id: call.tool_use_id,
      arguments: { command: 'git status' },
      reason: 'To see it.',
      state: 'executing',
    });
    const after = { ...call, hook_event_name: 'PostToolUse', tool_response: { stdout: 'clean' } };
    expect(await world.hook('claude-code', after)).toMatchObject({ exitCode: 0, out: '', err: '' });
    expect((await world.calls())[0]).toMatchObject({ state: 'succeeded', result: { stdout: 'clean' } });
    // The host asks again about a call that is over.
    expect(claudeDecision((await world.hook('claude-code', call)).answer)).toEqual([
      'deny',
      expect.stringContaining('hook.call_over') as string,
    ]);
  });

  it('waits for the person who answers in the browser, and reports a failure', async () => {
    const call = bash('npm install left-pad');
    const asked = world.hook('claude-code', call);
    await world.answer('approve');
    expect(claudeDecision((await asked).answer)).toEqual([
      'allow',
      'Countersign allowed it: a person approved this call.',
    ]);
    const failed = { ...call, hook_event_name: 'PostToolUseFailure', error: 'Exit code 1', is_interrupt: false };
    expect(await world.hook('claude-code', failed)).toMatchObject({ exitCode: 0, out: '' });
    expect((await world.calls())[0]).toMatchObject({ state: 'failed', error: { code: 'host.tool_failed' } });
  });

  it('denies a call that the person rejects, with the words of the code and the page', async () => {
    const asked = world.hook('claude-code', bash('npm publish'));
    await world.answer('reject', { comment: 'Not today.' });
    const [decision, why] = claudeDecision((await asked).answer);
    expect(decision).toBe('deny');
    expect(why).toContain('(tool_call.rejected)');
    expect(why).toContain(`People see the calls of this session at ${world.url}/sessions/`);
  });

  it('denies a line of Tier 3 with the reason of its part', async () => {
    const [decision, why] = claudeDecision((await world.hook('claude-code', bash('ls && rm -rf /'))).answer);
    expect([decision, why]).toEqual(['deny', expect.stringMatching(/rm[^]*\(shell\.[a-z_]+\)/) as string]);
  });

  it.each([
    ['Read', { file_path: 'src/a.ts' }, 'allow'],
    ['Glob', { pattern: '**/*.ts' }, 'allow'],
    ['Grep', { pattern: 'TODO', output_mode: 'content', '-n': true }, 'allow'],
    ['WebFetch', { url: 'https://example.com/', prompt: 'Sum it up' }, 'pending'],
    ['Write', { file_path: 'src/a.ts', content: 'x' }, 'pending'],
    ['Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y', replace_all: true }, 'pending'],
    ['MultiEdit', { file_path: 'src/a.ts', edits: [{ old_string: 'x', new_string: 'y' }] }, 'pending'],
    ['Read', { file_path: '.env' }, 'pending'],
    ['Grep', { pattern: 'KEY', glob: '**/.env' }, 'pending'],
    ['Glob', { pattern: '/etc/*' }, 'pending'],
    ['Read', { file_path: '/etc/hosts' }, 'pending'],
  ] as const)('judges %s %j: %s', async (tool, input, outcome) => {
    const asked = world.hook('claude-code', claude(tool, input));
    if (outcome === 'pending') await world.answer('approve');
    expect(claudeDecision((await asked).answer)[0]).toBe('allow');
    expect((await world.calls())[0]?.decision).toBe(outcome === 'pending' ? 'approved' : 'auto_approved');
  });

  it('judges a path by the file that a symbolic link leads to', async () => {
    symlinkSync('/etc/hosts', join(world.workspace, 'src', 'notes.md'));
    symlinkSync('../.git/hooks/pre-commit', join(world.workspace, 'src', 'draft.md'));
    mkdirSync(join(world.workspace, '.git', 'hooks'), { recursive: true });
    const read = world.hook('claude-code', claude('Read', { file_path: 'src/notes.md' }));
    await world.answer('reject');
    expect(claudeDecision((await read).answer)[0]).toBe('deny');
    expect((await world.calls())[0]?.arguments).toEqual({ path: '/etc/hosts' });
    const write = world.hook('claude-code', claude('Write', { file_path: 'src/draft.md', content: 'x' }));
    await world.answer('reject');
    expect(claudeDecision((await write).answer)[0]).toBe('deny');
    expect((await world.calls())[0]?.arguments).toMatchObject({ path: '.git/hooks/pre-commit' });
  });

  it('denies a write if its folder leads elsewhere once the person has answered', async () => {
    const asked = world.hook('claude-code', claude('Write', { file_path: 'later/draft.md', content: 'x' }));
    await world.request();
    symlinkSync('../elsewhere', join(world.workspace, 'later'));
    await world.answer('approve');
    expect(claudeDecision((await asked).answer)).toEqual([
      'deny',
      expect.stringContaining('(hook.changed_meanwhile)') as string,
    ]);
    expect((await world.calls())[0]).toMatchObject({ state: 'failed', error: { code: 'hook.not_started' } });
  });

  it('judges a command line in the folder that a line before has changed to', async () => {
    const secret = claude('Bash', { command: 'cat hosts.yml' }, { cwd: join(world.workspace, '.config/gh') });
    const asked = world.hook('claude-code', secret);
    await world.answer('approve');
    expect(claudeDecision((await asked).answer)[0]).toBe('allow');
    expect((await world.calls())[0]?.arguments).toEqual({ command: "cd '.config/gh' && cat hosts.yml" });
    // The line itself has left the workspace.
    const after = { ...secret, cwd: '/etc', hook_event_name: 'PostToolUse', tool_response: { stdout: '' } };
    expect(await world.hook('claude-code', after)).toMatchObject({ exitCode: 0, err: '' });
    expect((await world.calls())[0]?.state).toBe('succeeded');
    const outside = await world.hook('claude-code', claude('Bash', { command: 'cat hosts' }, { cwd: '/etc' }));
    expect(claudeDecision(outside.answer)).toEqual([
      'deny',
      expect.stringContaining('(hook.folder_outside)') as string,
    ]);
  });

  it('opens one session for each session of the host, and another one once it has ended', async () => {
    const agent = world.api.http(world.bot.token);
    const sessions = async () =>
      expectStatus(await agent.get('/v1/sessions?state=open'), 200).body.items as readonly { readonly id: string }[];
    const before = await sessions();
    const both = await Promise.all([bash('ls'), bash('pwd')].map((call) => world.hook('claude-code', call)));
    expect(both.map(({ answer }) => claudeDecision(answer)[0])).toEqual(['allow', 'allow']);
    const [opened, ...rest] = await sessions();
    expect(rest).toHaveLength(before.length);
    expectStatus(await agent.post(`/v1/sessions/${opened?.id ?? ''}/end`, {}), 200);
    expect(claudeDecision((await world.hook('claude-code', bash('ls'))).answer)[0]).toBe('allow');
    expect((await sessions()).map(({ id }) => id)).not.toContain(opened?.id);
    expect(await sessions()).toHaveLength(before.length + 1);
  });

  it('ends its session with the session of the host, once', async () => {
    const agent = world.api.http(world.bot.token);
    const open = async () =>
      (expectStatus(await agent.get('/v1/sessions?state=open'), 200).body.items as readonly unknown[]).length;
    const call = bash('ls');
    await world.hook('claude-code', call);
    const before = await open();
    const end = { session_id: call.session_id, cwd: call.cwd, hook_event_name: 'SessionEnd', reason: 'other' };
    expect(await world.hook('claude-code', end)).toMatchObject({ exitCode: 0, out: '', err: '' });
    expect(await open()).toBe(before - 1);
    expect(await world.hook('claude-code', end)).toMatchObject({ exitCode: 0, out: '', err: '' });
  });

  it('asks in the session that it is given, and denies once that has ended', async () => {
    const agent = world.api.http(world.bot.token);
    const { id } = expectStatus(await agent.post('/v1/sessions', { environment: 'development' }), 201).body;
    const argv = ['--session', String(id)];
    expect(claudeDecision((await world.hook('claude-code', bash('ls'), { argv })).answer)[0]).toBe('allow');
    expectStatus(await agent.post(`/v1/sessions/${String(id)}/end`, {}), 200);
    const [decision, why] = claudeDecision((await world.hook('claude-code', bash('ls'), { argv })).answer);
    expect([decision, why]).toEqual(['deny', expect.stringContaining('(session.ended)') as string]);
  });

  it('follows a settings file, which may leave a tool to the host', async () => {
    const settings = join(world.workspace, '..', 'hook.yaml');
    writeFileSync(
      settings,
      'environment: development\nshell: zsh\ntools:\n  TodoWrite: host\n  Bash: { tool: shell, arguments: { command: command } }\n',
    );
    const argv = ['--settings', settings];
    expect(await world.hook('claude-code', claude('TodoWrite', { todos: [] }), { argv })).toMatchObject({
      exitCode: 0,
      out: '',
    });
    expect(
      claudeDecision((await world.hook('claude-code', claude('Bash', { command: 'ls' }), { argv })).answer)[0],
    ).toBe('allow');
    const described = await world.hook('claude-code', bash('ls'), { argv });
    expect(claudeDecision(described.answer)).toEqual([
      'deny',
      expect.stringContaining('hook.argument_unmapped') as string,
    ]);
  });
});

describe('countersign hook codex', () => {
  const codex = (tool_input: object, more: object = {}) => ({
    session_id: `codex-${String(session)}`,
    transcript_path: null,
    cwd: world.workspace,
    hook_event_name: 'PermissionRequest',
    model: 'gpt-5.5-codex',
    permission_mode: 'default',
    turn_id: 'turn-1',
    tool_name: 'Bash',
    tool_input,
    ...more,
  });

  it('answers a permission request, and reports the call by its content', async () => {
    const tool_input = { command: 'git push origin main', description: 'To publish the fix.' };
    const asked = world.hook('codex', codex(tool_input));
    await world.answer('approve');
    expect((await asked).answer).toEqual({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    });
    const more = { hook_event_name: 'PostToolUse', tool_use_id: 'call_1', tool_response: 'pushed' };
    await world.hook('codex', codex({ command: tool_input.command }, more));
    expect((await world.calls())[0]).toMatchObject({
      reason: 'To publish the fix.',
      state: 'unknown',
      error: { code: 'host.no_exit_code' },
    });
    const denied = await world.hook('codex', codex({ command: 'sudo reboot', description: null }));
    expect(denied.answer).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny', message: expect.stringContaining('shell.') as string } },
    });
  });

  it('ends its session with the session of Codex', async () => {
    const agent = world.api.http(world.bot.token);
    const open = async () =>
      (expectStatus(await agent.get('/v1/sessions?state=open'), 200).body.items as readonly unknown[]).length;
    const session_id = 'a-codex-session-that-ends';
    const before = { session_id, hook_event_name: 'PreToolUse', tool_use_id: 'call_1' };
    await world.hook('codex', codex({ command: 'git log' }, before));
    const opened = await open();
    const end = {
      session_id,
      transcript_path: null,
      cwd: world.workspace,
      hook_event_name: 'SessionEnd',
      reason: 'other',
    };
    expect(await world.hook('codex', end)).toMatchObject({ exitCode: 0, out: '', err: '' });
    expect(await open()).toBe(opened - 1);
  });

  it('is silent before a call that is allowed, and judges a patch by its paths', async () => {
    const before = { hook_event_name: 'PreToolUse', tool_use_id: 'call_2' };
    expect(await world.hook('codex', codex({ command: 'git log' }, before))).toMatchObject({ exitCode: 0, out: '' });
    const command = '*** Begin Patch\n*** Add File: .git/hooks/pre-push\n+exit 0\n*** End Patch';
    const patch = { ...before, tool_name: 'apply_patch', tool_use_id: 'call_3' };
    const asked = world.hook('codex', codex({ command }, patch));
    await world.answer('reject');
    expect(claudeDecision((await asked).answer)[0]).toBe('deny');
    expect((await world.calls())[0]).toMatchObject({
      tool: 'git-apply-patch',
      arguments: { paths: ['.git/hooks/pre-push'] },
    });
  });
});

describe('countersign hook opencode', () => {
  it('lets a command line pass that only reads, and no line in another folder', async () => {
    const bash = (args: object) => ({
      hook: 'tool.execute.before',
      directory: world.workspace,
      input: { tool: 'bash', sessionID: `opencode-${String(session)}`, callID: `call-${JSON.stringify(args)}` },
      output: { args },
    });
    const list = { command: 'ls', description: 'Lists' };
    const here = await world.hook('opencode', bash({ ...list, workdir: world.workspace }));
    expect(here.answer).toMatchObject({ status: 'allow' });
    const elsewhere = await world.hook('opencode', bash({ ...list, workdir: '.ssh' }));
    expect(elsewhere.answer).toMatchObject({
      status: 'deny',
      message: expect.stringContaining('(hook.argument_unmapped)') as string,
    });
  });

  it('ends its session with a session of opencode that is deleted', async () => {
    const agent = world.api.http(world.bot.token);
    const open = async () =>
      (expectStatus(await agent.get('/v1/sessions?state=open'), 200).body.items as readonly unknown[]).length;
    const input = { tool: 'bash', sessionID: 'ses_ends', callID: 'call_1' };
    const args = { command: 'ls', description: 'Lists' };
    await world.hook('opencode', { hook: 'tool.execute.before', directory: world.workspace, input, output: { args } });
    const opened = await open();
    const event = { type: 'session.deleted', properties: { info: { id: 'ses_ends' } } };
    expect(await world.hook('opencode', { hook: 'event', event })).toMatchObject({ exitCode: 0, out: '', err: '' });
    expect(await open()).toBe(opened - 1);
  });
});
