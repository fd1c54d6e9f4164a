import type { ToolDefinition, ToolEffect, ToolSurface } from '#lib/formats';
import type { ShellVerdict } from '#lib/shell-safety';

/** The kinds of work that an editor knows, as the presets of sessions read them. */
export type CallCategory =
  | 'read'
  | 'workspace-write'
  | 'git-read'
  | 'git-write'
  | 'terminal-read'
  | 'terminal-write'
  | 'network'
  | 'audio-input'
  | 'audio-output';

/** A combination that is left out is a terminal-write. */
const BY_SURFACE: Readonly<Record<ToolSurface, Partial<Record<ToolEffect, CallCategory>>>> = {
  asset: { read: 'read' },
  workspace: { read: 'read', modify: 'workspace-write', destructive: 'workspace-write' },
  git: { read: 'git-read', modify: 'git-write', destructive: 'git-write' },
  terminal: { read: 'terminal-read' },
  network: { read: 'network', modify: 'network' },
  audio: { read: 'audio-input', modify: 'audio-output' },
};

/** The category of a call, as policies/session/call.rego derives it; people see it, and it decides nothing here. */
export function callCategory(
  { surface, effect, risk }: Pick<ToolDefinition, 'surface' | 'effect' | 'risk'>,
  shell: Pick<ShellVerdict, 'class'> | null,
): CallCategory {
  if (shell !== null)
    return shell.class === 'READ_ONLY' ? 'terminal-read' : shell.class === 'NETWORK' ? 'network' : 'terminal-write';
  // A tool with the risk of a state change modifies, even if it declares that it reads.
  const changes = risk === 'state_change_nonprod' || risk === 'state_change_prod';
  return BY_SURFACE[surface][effect === 'read' && changes ? 'modify' : effect] ?? 'terminal-write';
}
