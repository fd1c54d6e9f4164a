import { z } from 'zod';
import type { HookAnswer, HookEvent, HookHost, HostOutcome } from '../host.js';
import { heldResponse } from './held-response.js';
import { patchCall } from './patched-paths.js';

const call = {
  session_id: z.string().min(1).max(200),
  cwd: z.string().min(1),
  tool_name: z.string().min(1).max(200),
  tool_input: z.record(z.string(), z.unknown()),
};
const named = { ...call, tool_use_id: z.string().min(1).max(200) };

const callSchema = z.discriminatedUnion('hook_event_name', [
  z.object({ ...call, hook_event_name: z.literal('PermissionRequest') }),
  z.object({ ...named, hook_event_name: z.literal('PreToolUse') }),
  z.object({ ...named, hook_event_name: z.literal('PostToolUse'), tool_response: z.unknown().optional() }),
]);

const inputSchema = z.union([
  callSchema,
  z.object({ session_id: call.session_id, hook_event_name: z.literal('SessionEnd') }),
]);

/**
 * Codex, by its hook schemas (`codex-rs/hooks/schema/generated`; "Hooks", https://developers.openai.com/codex/hooks, as of May 2026).
 * `PermissionRequest` (openai/codex pull request 17563) comes where Codex would ask its user, and names no call. `PreToolUse` comes
 * before each call, and takes a denial or silence. Its `"permissionDecision": "allow"` is an invalid answer, which blocks nothing.
 * `SessionEnd` comes with Codex 0.145 and later (openai/codex pull request 33895), and has three seconds; `Stop` ends a turn alone.
 *
 * A turn of Codex is all the work on one prompt. So it is none of Countersign's turns, which hold a few calls.
 */
export const codex: HookHost = {
  name: 'codex',
  title: 'Codex',
  rules: {
    Bash: { tool: 'shell', arguments: { command: 'command' }, line: 'command', reason: 'description' },
    apply_patch: {
      tool: 'git-apply-patch',
      arguments: { command: 'patch', paths: 'paths' },
      paths: ['paths'],
      reason: 'description',
    },
  },
  read: (document) => {
    const { data: input } = inputSchema.safeParse(document);
    if (input === undefined) return null;
    if (input.hook_event_name === 'SessionEnd')
      return { kind: 'ends', event: input.hook_event_name, hostSession: input.session_id };
    const { hook_event_name: event, session_id: hostSession, tool_name: tool, cwd: directory } = input;
    const id = input.hook_event_name === 'PermissionRequest' ? null : input.tool_use_id;
    const shared = {
      event,
      call: { hostSession, id, turn: null, directory, ...patchCall(tool, input.tool_input, 'command') },
    };
    return input.hook_event_name === 'PostToolUse'
      ? { kind: 'tells', ...shared, outcome: outcomeOf(tool, input.tool_response) }
      : { kind: 'asks', ...shared };
  },
  write: (event, answer) => (event.kind !== 'asks' || answer.verdict === 'undecided' ? null : decision(event, answer)),
};

const exitSchema = z.union([
  z.object({ exit_code: z.int() }),
  z.object({ metadata: z.object({ exit_code: z.int() }) }).transform(({ metadata }) => metadata),
]);

/** Codex tells the text that a command wrote, and mostly no exit code. Other tools have this hook only after a success. */
function outcomeOf(tool: string, response: unknown): HostOutcome {
  const { data: exit } = exitSchema.safeParse(response);
  if (exit?.exit_code === 0 || (tool !== 'Bash' && exit === undefined))
    return { outcome: 'succeeded', result: heldResponse(response) };
  if (exit === undefined)
    return { outcome: 'unknown', error: { code: 'host.no_exit_code', message: 'Codex did not tell the exit code.' } };
  const message = `The command ended with ${String(exit.exit_code)}.`;
  return { outcome: 'failed', effect: 'done', error: { code: 'host.tool_failed', message } };
}

function decision({ event }: HookEvent, answer: Exclude<HookAnswer, { verdict: 'undecided' }>): object | null {
  const { verdict, message } = answer;
  if (event === 'PermissionRequest') {
    const behavior = verdict === 'allow' ? { behavior: verdict } : { behavior: verdict, message };
    return { hookSpecificOutput: { hookEventName: event, decision: behavior } };
  }
  return verdict === 'allow'
    ? null
    : { hookSpecificOutput: { hookEventName: event, permissionDecision: verdict, permissionDecisionReason: message } };
}
