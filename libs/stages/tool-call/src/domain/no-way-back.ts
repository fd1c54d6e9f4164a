import { maskSecretText } from '#lib/kernel';
import { visibleText } from '#lib/words';
import type { ToolCallFacts } from './tool-call.js';

const LONGEST = 200;

/** Whether a snapshot of the whole workspace is the way back from a call. A line that only reads changes nothing. */
export const needsWayBack = ({ shell }: Pick<ToolCallFacts, 'shell'>): boolean => shell !== null && shell.tier > 1;

/**
 * The effect of a call in words, before it the reason that nothing can restore the files that it changes.
 *
 * @param reason in the words of a runner, so that secrets are masked and hidden characters shown. Null if a snapshot is taken.
 */
export function withNoWayBack(impact: string, reason: string | null): string {
  if (reason === null) return impact;
  const shown = visibleText(maskSecretText(reason).replace(/\s+/g, ' '));
  return `No way back (${shown.length > LONGEST ? `${shown.slice(0, LONGEST - 1)}…` : shown}). ${impact}`;
}
