import type { DestinationView, IncidentDetailView, IncidentEventView, IncidentView } from '#lib/api-schemas';
import { stepsOf, type Destination, type IncidentDetail, type IncidentSeen } from '#lib/incident';
import { type PersonId, type PersonPrincipal, toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { whyNotView } from '../http/index.js';
import { headlineView } from '../plan/headlines.js';

export function incidentView(seen: IncidentSeen): IncidentView {
  const { incident, runId, runState, environment, production, people, overdue } = seen;
  const { acknowledged, resolved, reviewed } = stepsOf(incident);
  const person = (id: PersonId) => ({ id, display_name: people.get(id) ?? id });
  return {
    id: incident.id,
    state: incident.state,
    task_id: incident.taskId,
    plan_id: incident.planId,
    plan_digest: incident.planDigest,
    ...headlineView(seen.headline),
    run_id: runId,
    run_state: runState,
    environment: { id: incident.environmentId, name: environment, production },
    decision_id: incident.decisionId,
    invoked_by: person(incident.invokedBy),
    justification: incident.justification,
    second_factor: { method: incident.mfa.method, proved_at: toTimestamp(incident.mfa.provedAt) },
    notifies: [...incident.notifies],
    opened_at: toTimestamp(incident.openedAt),
    acknowledged_at: toTimestampOrNull(acknowledged?.at ?? null),
    acknowledged_by: acknowledged === null ? null : person(acknowledged.by),
    resolved_at: toTimestampOrNull(resolved?.at ?? null),
    resolved_by: resolved === null ? null : person(resolved.by),
    post_mortem: resolved?.postMortem ?? null,
    review_due_at: toTimestamp(incident.reviewDueAt),
    overdue,
    reviewed_at: toTimestampOrNull(reviewed?.at ?? null),
    reviewed_by: reviewed === null ? null : person(reviewed.by),
    review_comment: reviewed?.comment ?? null,
  };
}

export const incidentDetailView = (
  { seen, timeline, pages, notified, barred }: IncidentDetail,
  by: PersonPrincipal,
): IncidentDetailView => ({
  ...incidentView(seen),
  timeline: timeline.map((event) => ({
    seq: event.seq,
    kind: event.kind,
    actor: { ...event.actor },
    text: event.text,
    // Zod's type of JSON has no readonly members.
    data: event.data as IncidentEventView['data'],
    at: toTimestamp(event.at),
  })),
  pages: pages.map(({ action, state, attempts, lastError }) => ({ action, state, attempts, last_error: lastError })),
  notified: notified.map(({ id, displayName, by }) => ({ id, display_name: displayName, by: [...by] })),
  you_may_review: by.scopes.includes('review') && seen.incident.state === 'resolved' && barred === null,
  why_not_review: barred === null ? null : whyNotView(barred),
});

export const destinationView = ({ name, reach, addresses }: Destination): DestinationView => ({
  name,
  reach,
  addresses: addresses.map(({ address, channel, check }) => ({
    address,
    channel,
    tested_at: toTimestampOrNull(check?.checkedAt ?? null),
    answered_at: toTimestampOrNull(check?.answeredAt ?? null),
    error: check?.error ?? null,
  })),
});
