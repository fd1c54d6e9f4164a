/**
 * The end of a precedent. `bad`: a change went wrong, was broken off halfway, or its effect is not known. `refused`: people rejected it. `lapsed`: it came to
 * nothing. `good`: it was done.
 */
export type Ending = 'good' | 'bad' | 'refused' | 'lapsed';

/** The states that are bad whatever the effects. */
export const BAD_STATES: readonly string[] = ['failed', 'rolled_back', 'rollback_failed', 'unknown'];
const BAD: ReadonlySet<string> = new Set(BAD_STATES);
const REFUSED: ReadonlySet<string> = new Set(['denied', 'changes_requested']);
const GOOD: ReadonlySet<string> = new Set(['completed', 'succeeded']);

/**
 * @param endedAs the last state of a run, a call or a request.
 * @param effects the calls that changed something before a run was cancelled.
 */
export function endingOf(endedAs: string, unknownEffects: number, effects: number): Ending {
  if (BAD.has(endedAs) || unknownEffects > 0 || effects > 0) return 'bad';
  if (REFUSED.has(endedAs)) return 'refused';
  return GOOD.has(endedAs) ? 'good' : 'lapsed';
}
