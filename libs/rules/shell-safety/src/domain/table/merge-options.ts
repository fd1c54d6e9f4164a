import type { Options } from '../program-row.js';

/** The options of all parts: a subcommand's own beside those it shares with others. */
export function mergeOptions(...parts: readonly Options[]): Options {
  const merged: Partial<Record<keyof Options, string>> = {};
  for (const part of parts) {
    // The compiler knows the members of `Options` as optional; those that are there are text.
    for (const [effect, names] of Object.entries(part) as [keyof Options, string][]) {
      const before = merged[effect];
      merged[effect] = before === undefined ? names : `${before} ${names}`;
    }
  }
  return merged;
}
