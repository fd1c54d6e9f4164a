let calls = 0;

/** The input of a hook of Claude Code before a call, with a name of its own. */
export const claudeCall = (cwd: string, session: number, tool_name: string, tool_input: object, more: object = {}) => ({
  session_id: `claude-${String(session)}`,
  transcript_path: `/tmp/claude-${String(session)}.jsonl`,
  cwd,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: `toolu_${String((calls += 1))}`,
  ...more,
});

interface Answer {
  readonly hookSpecificOutput: { readonly permissionDecision: string; readonly permissionDecisionReason: string };
}

/** The decision that Claude Code is told, and its reason. */
export function claudeDecision(answer: unknown): readonly [string, string] {
  const { hookSpecificOutput: output } = answer as Answer;
  return [output.permissionDecision, output.permissionDecisionReason];
}
