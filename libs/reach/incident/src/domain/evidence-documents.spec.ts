import { newId, toTimestamp, type RunId } from '#lib/kernel';
import { sampleIncident, sampleOpen } from '../application/fake-incident.js';
import { incidentDocument, incidentEventDocument } from './evidence-documents.js';
import { wrongState } from './incident-transitions.js';
import { stepsOf, type IncidentEvent } from './incident.js';

const RUN = newId<RunId>();

it('fixes an incident as it was opened, which no later step changes', () => {
  const open = sampleOpen({ notifies: ['security-team'] });
  const document = incidentDocument(open, RUN);
  expect(document).toEqual({
    id: open.id,
    task_id: open.taskId,
    plan_id: open.planId,
    plan_digest: open.planDigest,
    run_id: RUN,
    environment_id: open.environmentId,
    decision_id: open.decisionId,
    invoked_by: open.invokedBy,
    credential_id: open.credentialId,
    justification: open.justification,
    second_factor: { method: 'totp', proved_at: toTimestamp(1) },
    notifies: ['security-team'],
    opened_at: toTimestamp(1),
    review_due_at: toTimestamp(2),
  });
  expect(incidentDocument(sampleIncident('reviewed', open), RUN)).toEqual(document);
});

it('fixes each entry of a timeline with its actor, its text and its facts', () => {
  const incident = sampleOpen();
  const actor = { kind: 'person', id: 'ada', display_name: 'Ada', credential_id: null, on_behalf_of: null } as const;
  const event = { seq: 2, kind: 'note', actor, text: 'It is back.', data: { seen: 1 }, at: 7 } as unknown;
  expect(incidentEventDocument(incident.id, event as IncidentEvent)).toEqual({
    incident_id: incident.id,
    seq: 2,
    kind: 'note',
    actor,
    text: 'It is back.',
    data: { seen: 1 },
    at: toTimestamp(7),
  });
});

it('names the steps that people have taken, and null for those to come', () => {
  const taken = (['open', 'acknowledged', 'resolved', 'reviewed'] as const).map((state) =>
    Object.values(stepsOf(sampleIncident(state))).map((step) => step?.at ?? null),
  );
  expect(taken).toEqual([
    [null, null, null],
    [3, null, null],
    [3, 4, null],
    [3, 4, 5],
  ]);
});

it('says in a refusal which state the incident is in', () => {
  expect(wrongState('open', 'resolve')).toMatchObject({ code: 'incident.wrong_state', details: { state: 'open' } });
});
