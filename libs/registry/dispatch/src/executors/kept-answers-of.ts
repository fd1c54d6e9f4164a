import type { KeptAnswers } from '../application/kept-answers.port.js';
import type { ExecutorKinds, WayOut } from './executor-kind.js';

/** The answers that any of the kinds keeps. The name of a call has no kind, so each is asked until one knows the call. */
export function keptAnswersOf(kinds: ExecutorKinds, out: WayOut): KeptAnswers {
  const keepers = kinds.flatMap((kind) => kind.keptAnswers?.(out) ?? []);
  return {
    async of(tx, call) {
      for (const keeper of keepers) {
        const kept = await keeper.of(tx, call);
        if (kept !== null) return kept;
      }
      return null;
    },
  };
}
