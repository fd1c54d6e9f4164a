import type { IncidentState } from '#lib/formats';
import type { Failure } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { AcknowledgedIncident, Done, OpenIncident, ResolvedIncident, ReviewedIncident } from './incident.js';

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

type IncidentEventName = Exclude<(typeof INCIDENT_TRANSITIONS)[number][1], 'open'>;

export const acknowledge = (incident: OpenIncident, acknowledged: Done): AcknowledgedIncident => ({
  ...incident,
  state: 'acknowledged',
  acknowledged,
});

export const resolve = (incident: AcknowledgedIncident, resolved: ResolvedIncident['resolved']): ResolvedIncident => ({
  ...incident,
  state: 'resolved',
  resolved,
});

export const review = (incident: ResolvedIncident, reviewed: ReviewedIncident['reviewed']): ReviewedIncident => ({
  ...incident,
  state: 'reviewed',
  reviewed,
});

/** The refusal of an event that the state does not allow. */
export const wrongState = (from: IncidentState, event: IncidentEventName): Failure => ({
  kind: 'conflict',
  code: 'incident.wrong_state',
  message: `An incident that is ${stateInWords(from)} cannot be ${DONE[event]}.`,
  action: NEXT[from],
  details: { state: from },
});

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
