import type { HookHost } from '../host.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { opencode } from './opencode.js';

/** The hosts that `countersign hook` speaks with. Another one is a module beside these, and a line here. */
export const HOOK_HOSTS: readonly HookHost[] = [claudeCode, codex, opencode];
