import { z } from 'zod';
import { endingOf, type Ending } from './ending.js';

/** How many precedents of one shape ended in each way, as PostgreSQL counts them. */
export const pastCounts = z.array(
  z.object({
    endedAs: z.string(),
    /** Of these, any with an effect that is not known. */
    unknownEffects: z.number(),
    /** Of these, any that was cancelled after a change. */
    effects: z.number(),
    count: z.number(),
    /** When the last of them ended, epoch milliseconds. */
    lastAt: z.number(),
  }),
);
/** The same, or null if there is no such request, or it is not open. */
export const pastOfRequest = pastCounts.nullable();
export type PastCount = Readonly<z.infer<typeof pastCounts>[number]>;

/** No more of the newest are counted. `precedent_past` has the same number, which the contract of precedents proves. */
export const MAX_COUNTED = 1_000;

const ORDER: readonly Ending[] = ['bad', 'refused', 'good', 'lapsed'];

/**
 * One line about the past of the same tools, environment and argument keys: bad outcomes first, then refusals.
 *
 * @param counts one for each way to end.
 */
export function pastLine(counts: readonly PastCount[]): string {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return 'Not done before with these tools, environment and arguments.';
  const times = all === 1 ? 'once' : `${all >= MAX_COUNTED ? 'at least ' : ''}${String(all)} times`;
  const rank = (one: PastCount): number => ORDER.indexOf(endingOf(one.endedAs, one.unknownEffects, one.effects));
  const parts = [...counts]
    .sort((one, other) => rank(one) - rank(other) || other.count - one.count)
    .map((one) => {
      const bad = endingOf(one.endedAs, one.unknownEffects, one.effects) === 'bad';
      const last = bad ? ` (last on ${new Date(one.lastAt).toISOString().slice(0, 10)})` : '';
      const halfway = one.effects > 0 ? ' after a change' : '';
      const unknown = one.unknownEffects > 0 && one.endedAs !== 'unknown' ? ' with an unknown effect' : '';
      const state = `${one.endedAs}${halfway}${unknown}`;
      return `${String(one.count)} ${state.replaceAll('_', ' ')}${last}`;
    });
  return `Asked ${times} before with the same tools, environment and arguments: ${parts.join(', ')}.`;
}
