import type { HookEvent, HookHost } from '../host.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { HOOK_HOSTS } from './index.js';
import { opencode } from './opencode.js';

/** The documented input of each hook, whole. */
const CLAUDE = {
  session_id: 'abc123',
  transcript_path: '/home/ada/.claude/projects/shop/abc123.jsonl',
  cwd: '/home/ada/shop',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run the tests', timeout: 120_000, run_in_background: false },
  tool_use_id: 'toolu_01ABC123',
};
const CODEX = {
  session_id: '0199c0de-0000-7000-8000-000000000001',
  transcript_path: null,
  cwd: '/home/ada/shop',
  hook_event_name: 'PermissionRequest',
  model: 'gpt-5.5-codex',
  permission_mode: 'default',
  turn_id: 'turn-1',
  tool_name: 'Bash',
  tool_input: { command: 'git push', description: 'To publish the fix.' },
};
const OPENCODE = {
  hook: 'tool.execute.before',
  directory: '/home/ada/shop',
  input: { tool: 'bash', sessionID: 'ses_1', callID: 'call_1' },
  output: { args: { command: 'git push', description: 'Publishes the fix' } },
};

const IN_BACKGROUND = {
  outcome: 'unknown',
  error: { code: 'host.in_background', message: 'The command goes on in the background.' },
};

type CallEvent = Exclude<HookEvent, { kind: 'ends' }>;
const read = (host: HookHost, document: unknown): CallEvent => {
  const event = host.read(document);
  if (event === null || event.kind === 'ends') throw new Error('it cannot be read');
  return event;
};

describe('the input of a host', () => {
  it('of Claude Code asks before a call, with its own names of session and call', () => {
    expect(read(claudeCode, CLAUDE)).toEqual({
      kind: 'asks',
      event: 'PreToolUse',
      call: {
        hostSession: 'abc123',
        id: 'toolu_01ABC123',
        turn: null,
        tool: 'Bash',
        input: CLAUDE.tool_input,
        directory: '/home/ada/shop',
      },
    });
  });

  it.each([
    [
      { hook_event_name: 'PostToolUse', tool_response: { stdout: 'ok', interrupted: false } },
      { outcome: 'succeeded', result: { stdout: 'ok', interrupted: false } },
    ],
    [
      { hook_event_name: 'PostToolUse', tool_response: 'x'.repeat(9_000) },
      { outcome: 'succeeded', result: { response_characters: 9_002 } },
    ],
    [{ hook_event_name: 'PostToolUse' }, { outcome: 'succeeded', result: null }],
    [{ hook_event_name: 'PostToolUse', tool_input: { command: 'x', run_in_background: true } }, IN_BACKGROUND],
    [{ hook_event_name: 'PostToolUse', tool_response: { backgroundTaskId: 'b1' } }, IN_BACKGROUND],
    [
      { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1', is_interrupt: false },
      { outcome: 'failed', effect: 'done', error: { code: 'host.tool_failed', message: 'Exit code 1' } },
    ],
    [
      { hook_event_name: 'PostToolUseFailure', error: 'Interrupted', is_interrupt: true },
      { outcome: 'unknown', error: { code: 'host.interrupted', message: 'The call was interrupted.' } },
    ],
  ])('of Claude Code tells the outcome: %j', (more, outcome) => {
    expect(read(claudeCode, { ...CLAUDE, ...more })).toMatchObject({ kind: 'tells', outcome });
  });

  it('of Codex asks for a permission without a name of the call, and before a call with one', () => {
    const call = { hostSession: CODEX.session_id, id: null, turn: null, tool: 'Bash', input: CODEX.tool_input };
    expect(read(codex, CODEX)).toMatchObject({ kind: 'asks', event: 'PermissionRequest', call });
    const before = { ...CODEX, hook_event_name: 'PreToolUse', tool_use_id: 'call_9' };
    expect(read(codex, before)).toMatchObject({ kind: 'asks', event: 'PreToolUse', call: { ...call, id: 'call_9' } });
    const after = { ...before, hook_event_name: 'PostToolUse', tool_response: 'ok' };
    expect(read(codex, after)).toMatchObject({ kind: 'tells', call: { ...call, id: 'call_9' } });
  });

  it.each([
    ['Bash', 'error: rejected', { outcome: 'unknown', error: { code: 'host.no_exit_code' } }],
    ['Bash', { output: 'x', exit_code: 1 }, { outcome: 'failed', effect: 'done' }],
    ['Bash', { output: 'x', metadata: { exit_code: 2 } }, { outcome: 'failed', effect: 'done' }],
    ['Bash', { output: 'x', exit_code: 0 }, { outcome: 'succeeded', result: { output: 'x', exit_code: 0 } }],
    ['apply_patch', 'Done', { outcome: 'succeeded', result: 'Done' }],
  ])('of Codex tells the outcome of %s by its exit code: %j', (tool_name, tool_response, outcome) => {
    const after = { ...CODEX, hook_event_name: 'PostToolUse', tool_use_id: 'c', tool_name, tool_response };
    expect(read(codex, after)).toMatchObject({ kind: 'tells', outcome });
  });

  it('of Claude Code ends a session', () => {
    const { tool_name: _tool, tool_input: _input, tool_use_id: _id, ...rest } = CLAUDE;
    const end = { ...rest, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' };
    expect(claudeCode.read(end)).toEqual({ kind: 'ends', event: 'SessionEnd', hostSession: 'abc123' });
  });

  it('of Codex ends a session, and not with a turn', () => {
    const { tool_name: _tool, tool_input: _input, turn_id: _turn, ...rest } = CODEX;
    const end = { ...rest, hook_event_name: 'SessionEnd', reason: 'other' };
    expect(codex.read(end)).toEqual({ kind: 'ends', event: 'SessionEnd', hostSession: CODEX.session_id });
    expect(codex.read({ ...end, hook_event_name: 'Stop' })).toBeNull();
  });

  it('of opencode ends a session that is deleted, and none that rests', () => {
    const event = { type: 'session.deleted', properties: { info: { id: 'ses_1', title: 'A fix' } } };
    const end = { hook: 'event', directory: '/home/ada/shop', event };
    expect(opencode.read(end)).toEqual({ kind: 'ends', event: 'session.deleted', hostSession: 'ses_1' });
    const idle = { type: 'session.idle', properties: { sessionID: 'ses_1' } };
    expect(opencode.read({ ...end, event: idle })).toBeNull();
  });

  it('of Codex names the paths that a patch changes', () => {
    const command = [
      '*** Begin Patch',
      '*** Add File: docs/new.md',
      '+text',
      '*** Update File: src/old.ts',
      '*** Move to: src/new.ts',
      '@@',
      '-a',
      '+b',
      '*** Delete File: .git/hooks/pre-commit',
      '*** Update File: src/old.ts',
      '*** End Patch',
    ].join('\n');
    const { call } = read(codex, { ...CODEX, tool_name: 'apply_patch', tool_input: { command } });
    expect(call.input.paths).toEqual(['docs/new.md', 'src/old.ts', 'src/new.ts', '.git/hooks/pre-commit']);
  });

  it('of opencode asks before a call, and tells the exit code of a command', () => {
    const call = { hostSession: 'ses_1', id: 'call_1', tool: 'bash', input: OPENCODE.output.args };
    expect(read(opencode, OPENCODE)).toMatchObject({ kind: 'asks', call });
    const after = (metadata: unknown) => ({
      ...OPENCODE,
      hook: 'tool.execute.after',
      input: { ...OPENCODE.input, args: OPENCODE.output.args },
      output: { title: 'git push', output: 'done', metadata },
    });
    expect(read(opencode, after({ exit: 0 }))).toMatchObject({ kind: 'tells', call, outcome: { result: 'done' } });
    expect(read(opencode, after({ exit: 1 }))).toMatchObject({ outcome: { outcome: 'failed', effect: 'done' } });
    expect(read(opencode, after(undefined))).toMatchObject({ outcome: { outcome: 'succeeded' } });
  });

  it.each([
    ['.', { command: 'ls' }],
    ['/home/ada/shop/', { command: 'ls' }],
    ['.ssh', { command: 'ls', workdir: '.ssh' }],
    ['..', { command: 'ls', workdir: '..' }],
  ])('of opencode keeps the folder %s of a command line unless it is the folder of the agent', (workdir, input) => {
    const { call } = read(opencode, { ...OPENCODE, output: { args: { command: 'ls', workdir } } });
    expect(call.input).toEqual(input);
  });

  it.each([
    [claudeCode, { ...CLAUDE, hook_event_name: 'Stop' }],
    [claudeCode, { ...CLAUDE, tool_use_id: undefined }],
    [claudeCode, { ...CLAUDE, tool_use_id: 'x'.repeat(201) }],
    [claudeCode, { ...CLAUDE, tool_input: 'npm test' }],
    [claudeCode, { ...CLAUDE, session_id: '' }],
    [codex, { ...CODEX, hook_event_name: 'PreToolUse' }],
    [codex, { ...CODEX, tool_input: null }],
    [opencode, { ...OPENCODE, hook: 'permission.ask' }],
    [opencode, { ...OPENCODE, output: {} }],
    ...HOOK_HOSTS.flatMap((host) => [null, 'text', [], {}].map((document) => [host, document] as const)),
  ] as const)('of $name that it does not document is none: %#', (host, document) => {
    expect(host.read(document)).toBeNull();
  });
});

describe('the answer to a host', () => {
  const asks = (event: string): CallEvent => ({
    kind: 'asks',
    event,
    call: { hostSession: 's', id: 'c', turn: null, tool: 't', input: {}, directory: '/' },
  });
  const deny = { verdict: 'deny', message: 'no' } as const;
  const allow = { verdict: 'allow', message: 'yes' } as const;
  const undecided = { verdict: 'undecided' } as const;
  const before = (permissionDecision: string, permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  });
  const request = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

  it.each([
    [claudeCode, 'PreToolUse', allow, before('allow', 'yes')],
    [claudeCode, 'PreToolUse', deny, before('deny', 'no')],
    [claudeCode, 'PreToolUse', undecided, null],
    [codex, 'PermissionRequest', allow, request({ behavior: 'allow' })],
    [codex, 'PermissionRequest', deny, request({ behavior: 'deny', message: 'no' })],
    [codex, 'PermissionRequest', undecided, null],
    [codex, 'PreToolUse', allow, null],
    [codex, 'PreToolUse', deny, before('deny', 'no')],
    [codex, 'PreToolUse', undecided, null],
    [opencode, 'tool.execute.before', allow, { status: 'allow', message: 'yes' }],
    [opencode, 'tool.execute.before', deny, { status: 'deny', message: 'no' }],
    [opencode, 'tool.execute.before', undecided, { status: 'ask' }],
  ] as const)('$name in %s is the documented one: %j', (host, event, answer, document) => {
    expect(host.write(asks(event), answer)).toEqual(document);
  });

  it('to a host that tells an outcome is silence', () => {
    const tells: HookEvent = { ...asks('PostToolUse'), kind: 'tells', outcome: { outcome: 'succeeded', result: null } };
    expect(HOOK_HOSTS.map((host) => host.write(tells, undecided))).toEqual([null, null, null]);
  });
});
