import type { Behaviour } from '../program-row.js';

/** The same behaviour for several subcommands, with commas between their names: `'image ls, image history'`. */
export function sameFor(subcommands: string, behaviour: Behaviour): Record<string, Behaviour> {
  return Object.fromEntries(subcommands.split(',').map((name) => [name.trim(), behaviour]));
}
