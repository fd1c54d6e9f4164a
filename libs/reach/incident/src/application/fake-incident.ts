import type { IncidentState } from '#lib/formats';
import { digestText, newId, type PersonId } from '#lib/kernel';
import { review, resolve, acknowledge } from '../domain/incident-transitions.js';
import type { Incident, IncidentFacts, OpenIncident } from '../domain/incident.js';

/** An open incident. */
export const sampleOpen = (facts: Partial<IncidentFacts> = {}): OpenIncident => ({
  id: newId(),
  taskId: newId(),
  planId: newId(),
  planDigest: digestText('plan', 'x'),
  environmentId: newId(),
  decisionId: newId(),
  invokedBy: newId(),
  credentialId: newId(),
  justification: 'The database is down',
  mfa: { method: 'totp', provedAt: 1 },
  notifies: [],
  eventCount: 1,
  openedAt: 1,
  reviewDueAt: 2,
  escalatedAt: null,
  escalations: 0,
  escalateAt: 2,
  ...facts,
  state: 'open',
});

/** An incident in this state. One person took all its steps. */
export function sampleIncident(
  state: IncidentState,
  facts: Partial<IncidentFacts> = {},
  by = newId<PersonId>(),
): Incident {
  const open = sampleOpen(facts);
  if (state === 'open') return open;
  const acknowledged = acknowledge(open, { at: 3, by });
  if (state === 'acknowledged') return acknowledged;
  const resolved = resolve(acknowledged, { at: 4, by, postMortem: 'It is over.' });
  return state === 'resolved' ? resolved : review(resolved, { at: 5, by, comment: 'Fine.' });
}
