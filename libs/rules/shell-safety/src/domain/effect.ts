import type { Argument } from './inspection.js';
import type { ShellClass, Tier } from './verdict.js';

/** One more thing that a part does, with the place that shows it. */
export interface Effect {
  readonly class: ShellClass;
  readonly tier: Tier;
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The effect of a word, at the word. */
export const effectAt = (
  at: Pick<Argument, 'start' | 'end'>,
  shellClass: ShellClass,
  tier: Tier,
  code: string,
  message: string,
): Effect => ({ class: shellClass, tier, code, message, start: at.start, end: at.end });
