import type { IncidentDocument, IncidentEventDocument } from '#lib/formats';
import { digestOf, type EvidenceRef, type IncidentId, type RunId, toTimestamp } from '#lib/kernel';
import type { Incident, IncidentEvent } from './incident.js';

/** An incident as it was opened: the part that never changes. The timeline holds the rest. */
export const incidentDocument = (incident: Incident, runId: RunId): IncidentDocument => ({
  id: incident.id,
  task_id: incident.taskId,
  plan_id: incident.planId,
  plan_digest: incident.planDigest,
  run_id: runId,
  environment_id: incident.environmentId,
  decision_id: incident.decisionId,
  invoked_by: incident.invokedBy,
  credential_id: incident.credentialId,
  justification: incident.justification,
  second_factor: { method: incident.mfa.method, proved_at: toTimestamp(incident.mfa.provedAt) },
  notifies: [...incident.notifies],
  opened_at: toTimestamp(incident.openedAt),
  review_due_at: toTimestamp(incident.reviewDueAt),
});

/** One entry of a timeline, as evidence. */
export const incidentEventDocument = (incidentId: IncidentId, event: IncidentEvent): IncidentEventDocument => ({
  incident_id: incidentId,
  seq: event.seq,
  kind: event.kind,
  actor: { ...event.actor },
  text: event.text,
  data: event.data,
  at: toTimestamp(event.at),
});

/** The id of a timeline's entry in a pack. */
export const incidentEventId = (incidentId: IncidentId, seq: number): string =>
  `${incidentId}/${String(seq).padStart(4, '0')}`;

/** The reference by which the audit entry of an incident fixes it. */
export const incidentEvidence = (incident: Incident, runId: RunId): EvidenceRef => ({
  kind: 'incident',
  id: incident.id,
  digest: digestOf('incident', incidentDocument(incident, runId)),
});

export const incidentEventEvidence = (incidentId: IncidentId, event: IncidentEvent): EvidenceRef => ({
  kind: 'incident-event',
  id: incidentEventId(incidentId, event.seq),
  digest: digestOf('incident-event', incidentEventDocument(incidentId, event)),
});
