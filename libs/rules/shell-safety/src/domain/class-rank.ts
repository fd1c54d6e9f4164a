import { SHELL_CLASSES } from '#lib/formats';
import type { ShellClass } from './verdict.js';

// Each class has its rank.
const RANK: Readonly<Record<ShellClass, number>> = Object.fromEntries(
  SHELL_CLASSES.map((name, index) => [name, index]),
) as Record<ShellClass, number>;

export const worseClass = (a: ShellClass, b: ShellClass): ShellClass => (a !== b && RANK[b] > RANK[a] ? b : a);
