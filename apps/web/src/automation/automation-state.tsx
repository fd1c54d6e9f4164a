import type { AutomationView } from '#lib/api-schemas';
import { StateBadge } from '../components/state-badge.js';
import { countOf } from '../components/count-of.js';

/** The state of an automation, and why it is paused. */
export function AutomationState({ automation: { state, failures } }: { readonly automation: AutomationView }) {
  return (
    <>
      <StateBadge state={state} />
      {state === 'paused' && failures > 0 && <span>{countOf(failures, 'run')} failed in a row</span>}
    </>
  );
}
