import { z } from 'zod';
import { storedId, type ApprovalState, type ConfirmWord, type Verdict, decisionSchema, EXCLUSIONS } from '#lib/formats';
import { boolean, entity, integer, json, moment, nullable, smallint, text, texts, uuid } from '#lib/database';
import type { MfaMethod, RecordedKnownBy } from '#lib/identity';
import type {
  ApprovalRequestId,
  AutonomyRevisionId,
  CredentialId,
  DecisionId,
  Digest,
  EnvironmentId,
  PersonId,
  PlanId,
  SessionId,
  SimulationId,
  TaskId,
  ToolCallId,
} from '#lib/kernel';
import { SUBMITTER } from '#lib/task';
import type { AskedPlan, AskedSubject, ClosedReason, Start } from '../domain/approval-request.js';
import type { ReviewId } from '../domain/ids.js';
import type { ReminderKind } from '../domain/reminders.js';

const personId = storedId<PersonId>();

const excluded = z.array(
  z.object({ person_id: personId, why: z.enum(EXCLUSIONS), shares_with: personId.exactOptional() }),
);

const closedReason: z.ZodType<ClosedReason> = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.array(z.string())])).exactOptional(),
});

export const approvalRequestEntity = entity(
  'approval_request',
  { id: uuid<ApprovalRequestId>() },
  {
    subjectType: text<AskedSubject['type']>(),
    subjectId: uuid<PlanId | ToolCallId>(),
    environmentId: uuid<EnvironmentId>(),
    taskId: nullable(uuid<TaskId>()),
    simulationId: nullable(uuid<SimulationId>()),
    sessionId: nullable(uuid<SessionId>()),
    state: text<ApprovalState>(),
    binding: text(),
    bindingDigest: text<Digest>(),
    contentDigest: text<Digest>(),
    phases: nullable(text<AskedPlan['phases']>()),
    headline: text(),
    risk: smallint(),
    targetCount: integer(),
    decisionId: uuid<DecisionId>(),
    autonomyRevisionId: nullable(uuid<AutonomyRevisionId>()),
    bundleRevision: text(),
    decision: json(decisionSchema),
    excluded: json(excluded),
    ...SUBMITTER,
    start: text<Start['kind']>(),
    startAt: nullable(moment()),
    startAfter: nullable(moment()),
    openedAt: moment(),
    expiresAt: moment(),
    approvedAt: nullable(moment()),
    approvalExpiresAt: nullable(moment()),
    closedAt: nullable(moment()),
    closedReason: nullable(json(closedReason)),
    seal: text(),
  },
);

const knownBy: z.ZodType<RecordedKnownBy> = z.object({
  basis: z.enum(['founder', 'issuer', 'mailed_invitation', 'vouched', 'operator', 'token']),
  by: personId.nullable(),
  hand: personId.nullable(),
  issuer: z.string().nullable(),
  at: z.number(),
  since: z.number(),
  counts: z.boolean(),
});

export const reviewEntity = entity(
  'review',
  { id: uuid<ReviewId>() },
  {
    requestId: uuid<ApprovalRequestId>(),
    personId: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    verdict: text<Verdict>(),
    comment: text(),
    roles: json(z.array(z.object({ role: z.string(), assigned_at: z.number() }))),
    delegatedBy: nullable(uuid<PersonId>()),
    seat: json(z.object({ shared_with: z.array(personId), known_by: z.array(knownBy) })),
    subjectDigest: text(),
    always: boolean(),
    confirmWord: nullable(text<ConfirmWord>()),
    decisionId: uuid<DecisionId>(),
    createdAt: moment(),
    replacedAt: nullable(moment()),
    mfaMethod: nullable(text<MfaMethod>()),
    mfaProvedAt: nullable(moment()),
    seal: text(),
  },
);

export const approvalClaimEntity = entity(
  'approval_claim',
  { requestId: uuid<ApprovalRequestId>() },
  { personId: uuid<PersonId>(), claimedAt: moment(), expiresAt: moment() },
);

export const approvalLookEntity = entity(
  'approval_look',
  { requestId: uuid<ApprovalRequestId>(), personId: uuid<PersonId>() },
  { firstAt: moment() },
);

export const absenceEntity = entity(
  'absence',
  { id: uuid() },
  {
    personId: uuid<PersonId>(),
    delegateId: uuid<PersonId>(),
    roles: texts(),
    fromAt: moment(),
    untilAt: moment(),
    createdAt: moment(),
    endedAt: nullable(moment()),
    endedBy: nullable(uuid<PersonId>()),
    seal: text(),
  },
);

export const approvalReminderEntity = entity(
  'approval_reminder',
  { requestId: uuid<ApprovalRequestId>(), which: text<ReminderKind>() },
  { dueAt: moment(), roles: nullable(texts()), settledAt: nullable(moment()), sent: nullable(boolean()) },
);
