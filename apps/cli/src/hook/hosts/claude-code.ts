import { z } from 'zod';
import type { HookAnswer, HookEvent, HookHost, HostOutcome } from '../host.js';
import { heldResponse } from './held-response.js';
import { withSearchedFolder } from './searched-folder.js';

const call = {
  session_id: z.string().min(1).max(200),
  cwd: z.string().min(1),
  tool_name: z.string().min(1).max(200),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().min(1).max(200),
};

const callSchema = z.discriminatedUnion('hook_event_name', [
  z.object({ ...call, hook_event_name: z.literal('PreToolUse') }),
  z.object({ ...call, hook_event_name: z.literal('PostToolUse'), tool_response: z.unknown().optional() }),
  z.object({
    ...call,
    hook_event_name: z.literal('PostToolUseFailure'),
    error: z.string(),
    is_interrupt: z.boolean().optional(),
  }),
]);
type Input = z.infer<typeof callSchema>;

const inputSchema = z.union([
  callSchema,
  z.object({ session_id: call.session_id, hook_event_name: z.literal('SessionEnd') }),
]);

/**
 * Claude Code. Its `PreToolUse` hook decides before its own permission rules ("Hooks reference",
 * https://code.claude.com/docs/en/hooks, as of Claude Code 2.1.295). A hook that crashes or exceeds its time limit there lets the call
 * pass, unless its entry has `"onFailure": "block"`. Exit code 2 always blocks. `updatedInput` is never written: an answer holds for
 * the input that was asked about.
 */
export const claudeCode: HookHost = {
  name: 'claude-code',
  title: 'Claude Code',
  rules: {
    Bash: {
      tool: 'shell',
      arguments: { command: 'command', run_in_background: 'background' },
      line: 'command',
      reason: 'description',
      ignored: ['timeout'],
      defaults: { run_in_background: false, dangerouslyDisableSandbox: false },
    },
    Read: {
      tool: 'file-read',
      arguments: { file_path: 'path' },
      paths: ['file_path'],
      ignored: ['offset', 'limit', 'pages'],
    },
    Write: { tool: 'file-write', arguments: { file_path: 'path', content: 'content' }, paths: ['file_path'] },
    Edit: {
      tool: 'file-edit',
      arguments: { file_path: 'path', old_string: 'old_text', new_string: 'new_text', replace_all: 'replace_all' },
      paths: ['file_path'],
      defaults: { replace_all: false },
    },
    MultiEdit: { tool: 'file-edit', arguments: { file_path: 'path', edits: 'edits' }, paths: ['file_path'] },
    Glob: {
      tool: 'file-search',
      arguments: { pattern: 'pattern', path: 'path' },
      paths: ['path'],
      search: { folder: 'path' },
      defaults: { path: null },
    },
    Grep: {
      tool: 'text-search',
      arguments: { pattern: 'pattern', path: 'path', glob: 'files', '-i': 'ignore_case' },
      paths: ['path'],
      search: { folder: 'path', files: { member: 'glob', argument: 'chosen' } },
      defaults: { path: null, glob: null },
      ignored: ['type', 'output_mode', '-A', '-B', '-C', '-n', 'context', 'head_limit', 'offset', 'multiline'],
    },
    WebFetch: { tool: 'web-fetch', arguments: { url: 'url' }, ignored: ['prompt'] },
  },
  read: (document) => {
    const { data } = inputSchema.safeParse(document);
    if (data === undefined) return null;
    return data.hook_event_name === 'SessionEnd'
      ? { kind: 'ends', event: data.hook_event_name, hostSession: data.session_id }
      : eventOf(data);
  },
  write: ({ event, kind }, answer) =>
    kind !== 'asks' || answer.verdict === 'undecided' ? null : decision(event, answer),
};

function eventOf(input: Input): HookEvent {
  const { hook_event_name: event, session_id: hostSession, tool_use_id: id, tool_name: tool, cwd: directory } = input;
  const given = tool === 'Glob' ? withSearchedFolder(input.tool_input) : input.tool_input;
  const shared = { event, call: { hostSession, id, turn: null, tool, input: given, directory } };
  return input.hook_event_name === 'PreToolUse'
    ? { kind: 'asks', ...shared }
    : { kind: 'tells', ...shared, outcome: outcomeOf(input) };
}

function outcomeOf(input: Exclude<Input, { hook_event_name: 'PreToolUse' }>): HostOutcome {
  if (input.hook_event_name === 'PostToolUse' && isInBackground(input))
    return {
      outcome: 'unknown',
      error: { code: 'host.in_background', message: 'The command goes on in the background.' },
    };
  if (input.hook_event_name === 'PostToolUse')
    return { outcome: 'succeeded', result: heldResponse(input.tool_response) };
  if (input.is_interrupt === true)
    return { outcome: 'unknown', error: { code: 'host.interrupted', message: 'The call was interrupted.' } };
  const message = input.error.slice(0, 2_000) || 'The call failed.';
  return { outcome: 'failed', effect: 'done', error: { code: 'host.tool_failed', message } };
}

/** A command goes on after its call if the agent asked for it. A person or a time limit can put it there, too. */
function isInBackground({ tool_input, tool_response }: Input & { readonly tool_response?: unknown }): boolean {
  const response = z.object({ backgroundTaskId: z.string() }).safeParse(tool_response);
  return tool_input.run_in_background === true || response.success;
}

const decision = (event: string, answer: Exclude<HookAnswer, { verdict: 'undecided' }>): object => ({
  hookSpecificOutput: {
    hookEventName: event,
    permissionDecision: answer.verdict,
    permissionDecisionReason: answer.message,
  },
});
