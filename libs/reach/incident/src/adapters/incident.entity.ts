import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import { storedActorSchema, type IncidentEventKind, type IncidentState } from '#lib/formats';
import { entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { MfaMethod } from '#lib/identity';
import type {
  CredentialId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  PersonId,
  PlanId,
  TaskId,
} from '#lib/kernel';
import type { Page } from '../application/incident.ports.js';
import type { PageAction } from '../domain/page-event.js';

const proof = z.strictObject({
  method: z.enum(['passkey', 'totp', 'recovery_code'] satisfies MfaMethod[]),
  proved_at: z.number(),
});

const names = z.array(z.string());

export const incidentEntity = entity(
  'incident',
  { id: uuid<IncidentId>() },
  {
    state: text<IncidentState>(),
    taskId: uuid<TaskId>(),
    planId: uuid<PlanId>(),
    planDigest: text<Digest>(),
    environmentId: uuid<EnvironmentId>(),
    decisionId: uuid<DecisionId>(),
    invokedBy: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    justification: text(),
    mfa: json(proof),
    notifies: json<readonly string[]>(names),
    eventCount: integer(),
    openedAt: moment(),
    reviewDueAt: moment(),
    acknowledgedAt: nullable(moment()),
    acknowledgedBy: nullable(uuid<PersonId>()),
    resolvedAt: nullable(moment()),
    resolvedBy: nullable(uuid<PersonId>()),
    postMortem: nullable(text()),
    reviewedAt: nullable(moment()),
    reviewedBy: nullable(uuid<PersonId>()),
    reviewComment: nullable(text()),
    escalatedAt: nullable(moment()),
    escalations: integer(),
    escalateAt: moment(),
  },
);

/** The entries of timelines. */
export const incidentEventEntity = entity(
  'incident_event',
  { incidentId: uuid<IncidentId>(), seq: integer() },
  {
    kind: text<IncidentEventKind>(),
    actor: json(storedActorSchema),
    text: text(),
    data: json<JsonObject>(z.record(z.string(), z.json())),
    at: moment(),
  },
);

/** Events for PagerDuty. */
export const incidentPageEntity = entity(
  'incident_page',
  { id: uuid() },
  {
    incidentId: uuid<IncidentId>(),
    action: text<PageAction>(),
    state: text<Page['state']>(),
    attempts: integer(),
    nextAttemptAt: moment(),
    lastError: nullable(text()),
    createdAt: moment(),
    sentAt: nullable(moment()),
  },
);

/** One row a tenant. */
export const incidentSettingEntity = entity(
  'incident_setting',
  {},
  {
    destinations: json<Readonly<Record<string, readonly string[]>>>(z.record(z.string(), names)),
    reviewDays: integer(),
    pagerdutySecret: nullable(text()),
    pagerdutyUrl: nullable(text()),
    updatedAt: moment(),
    updatedBy: uuid<PersonId>(),
  },
);

/** The last test message to each address of a destination. */
export const destinationCheckEntity = entity(
  'incident_destination_check',
  { id: uuid() },
  {
    address: text(),
    checkedAt: moment(),
    answeredAt: nullable(moment()),
    error: nullable(text()),
    changedAt: nullable(moment()),
  },
);
