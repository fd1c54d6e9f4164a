import type { IncidentState } from '#lib/contracts';
import { err, ok, type Result, stateInWords } from '#lib/kernel';

/**
 * Incident lifecycle. The rows of `incident_transition` (migrations/0170_incident.sql) are the same table; a test
 * compares them.
 *
 *   (new) ──open──▶ open ──acknowledge──▶ acknowledged ──resolve──▶ resolved ──review──▶ reviewed
 */
export const INCIDENT_TRANSITIONS = [
  ['', 'open', 'open'],
  ['open', 'acknowledge', 'acknowledged'],
  ['acknowledged', 'resolve', 'resolved'],
  ['resolved', 'review', 'reviewed'],
] as const satisfies readonly (readonly ['' | IncidentState, string, IncidentState])[];

export type IncidentEventName = Exclude<(typeof INCIDENT_TRANSITIONS)[number][1], 'open'>;

/** The state after an event, or `incident.wrong_state`. */
export function nextIncidentState(from: IncidentState, event: IncidentEventName): Result<IncidentState> {
  const row = INCIDENT_TRANSITIONS.find(([before, name]) => before === from && name === event);
  if (row !== undefined) return ok(row[2]);
  return err({
    kind: 'conflict',
    code: 'incident.wrong_state',
    message: `An incident that is ${stateInWords(from)} cannot be ${DONE[event]}.`,
    action: NEXT[from],
    details: { state: from },
  });
}

const DONE: Readonly<Record<IncidentEventName, string>> = {
  acknowledge: 'acknowledged',
  resolve: 'resolved',
  review: 'reviewed',
};

const NEXT: Readonly<Record<IncidentState, string>> = {
  open: 'Acknowledge it first.',
  acknowledged: 'Resolve it with a post-mortem once its run has ended.',
  resolved: 'Ask somebody else than the person who broke the glass to review its post-mortem.',
  reviewed: 'Nothing is left to do on it.',
};
