import type { HookSettings } from './lifecycle-hook.js';

/** An event as hooks match it. */
export interface NamedEvent {
  /** `tool.execute`, `agent.error`, `run.failed` … */
  readonly event: string;
  /** The name of the tool, or of the agent for `agent.error`; for every other event its own name. */
  readonly matched: string;
}

/** Whether a hook listens for an event. */
export const matchesEvent = (hook: Pick<HookSettings, 'event' | 'matcher'>, { event, matched }: NamedEvent): boolean =>
  (hook.event.endsWith('.*') ? event.startsWith(hook.event.slice(0, -1)) : hook.event === event) &&
  matchesGlob(hook.matcher, matched);

/**
 * Whether a glob matches a whole name. `*` stands for any characters, `?` for one, and each other character for itself. The
 * comparison takes at most the product of both lengths.
 */
export function matchesGlob(glob: string, name: string): boolean {
  let [at, inName, star, resumed] = [0, 0, -1, 0];
  while (inName < name.length) {
    if (glob[at] === '*') {
      star = at;
      at += 1;
      resumed = inName;
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === name[inName])) {
      at += 1;
      inName += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      resumed += 1;
      inName = resumed;
    }
  }
  return /^\**$/.test(glob.slice(at));
}
