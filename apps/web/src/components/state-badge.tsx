import { stateInWords } from '#lib/words';
import { Badge } from './badge.js';
import { toneOf } from './tone-of.js';

/** The state of a task, plan, request, run, step or incident. */
export function StateBadge({ state }: { readonly state: string }) {
  return <Badge tone={toneOf(state)}>{stateInWords(state)}</Badge>;
}
