import type { Classification } from './level.js';

/**
 * The categories of other taxonomies in the words of this one. With them their tools can be registered, and their
 * levels follow from the one table.
 */

/** Automation tiers (automation-safe tools): the calls open to unattended workflows. */
export const AUTOMATION_TIERS = {
  read: { risk: 'read_only', effect: 'read', surface: 'asset', scope: 'asset' },
  modify: { risk: 'state_change_nonprod', effect: 'modify', surface: 'asset', scope: 'asset' },
  destructive: { risk: 'state_change_nonprod', effect: 'destructive', surface: 'asset', scope: 'asset' },
} as const satisfies Record<string, Classification>;

/** Categories of an editor's skills, each with the level that taxonomy gives it. */
export const SKILL_CATEGORIES = {
  read: { risk: 'read_only', effect: 'read', surface: 'workspace', scope: 'asset' },
  'workspace-write': { risk: 'state_change_nonprod', effect: 'modify', surface: 'workspace', scope: 'asset' },
  'git-read': { risk: 'read_only', effect: 'read', surface: 'git', scope: 'asset' },
  'git-write': { risk: 'state_change_nonprod', effect: 'modify', surface: 'git', scope: 'asset' },
  'terminal-read': { risk: 'read_only', effect: 'read', surface: 'terminal', scope: 'asset' },
  'terminal-write': { risk: 'state_change_nonprod', effect: 'modify', surface: 'terminal', scope: 'asset' },
  network: { risk: 'read_only', effect: 'read', surface: 'network', scope: 'asset' },
  'audio-input': { risk: 'read_only', effect: 'read', surface: 'audio', scope: 'asset' },
  'audio-output': { risk: 'read_only', effect: 'read', surface: 'audio', scope: 'asset' },
} as const satisfies Record<string, Classification>;

/** Tiers of a shell command: 1 runs, 2 asks, 3 is denied. */
export const SHELL_TIERS = {
  1: { risk: 'read_only', effect: 'read', surface: 'terminal', scope: 'asset' },
  2: { risk: 'state_change_nonprod', effect: 'modify', surface: 'terminal', scope: 'asset' },
  3: { risk: 'state_change_nonprod', effect: 'destructive', surface: 'terminal', scope: 'organization' },
} as const satisfies Record<number, Classification>;

/** Risks of an interactive session's calls. An unknown risk counts as a change made at a terminal. */
export const SESSION_RISKS = {
  READ_ONLY: { risk: 'read_only', effect: 'read', surface: 'workspace', scope: 'asset' },
  BUILD_TEST: { risk: 'plan_only', effect: 'read', surface: 'terminal', scope: 'asset' },
  WRITE: { risk: 'state_change_nonprod', effect: 'modify', surface: 'workspace', scope: 'asset' },
  DESTRUCTIVE: { risk: 'state_change_nonprod', effect: 'destructive', surface: 'git', scope: 'asset' },
  NETWORK: { risk: 'read_only', effect: 'read', surface: 'network', scope: 'asset' },
  ESCALATION: { risk: 'state_change_nonprod', effect: 'destructive', surface: 'terminal', scope: 'organization' },
  UNKNOWN: { risk: 'state_change_nonprod', effect: 'modify', surface: 'terminal', scope: 'asset' },
} as const satisfies Record<string, Classification>;
