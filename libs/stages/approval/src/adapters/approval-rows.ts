import { canonicalJson } from '#lib/canonical';
import { approvalBindingSchema } from '#lib/formats';
import { parsedText, type RowOf } from '#lib/database';
import { seatDocument } from '#lib/identity';
import type { ApprovalRequestId, HeldRole, PlanId, ToolCallId } from '#lib/kernel';
import { storedSubmitter, submitterIn } from '#lib/task';
import type { RecordedReview } from '../application/approval.ports.js';
import {
  approvalOf,
  type ApprovalRequest,
  type AskedPlan,
  type AskedSubject,
  type RequestFacts,
  type Review,
  type Start,
} from '../domain/approval-request.js';
import { excludedFacts } from '../domain/policy-inputs.js';
import { levelOfRank, rankOfLevel } from '../domain/request-risk.js';
import type { approvalRequestEntity, reviewEntity } from './approval.entity.js';

export type RequestRow = RowOf<typeof approvalRequestEntity>;
export type ReviewRow = RowOf<typeof reviewEntity>;

/** @throws if a row breaks a constraint of the table. */
export function requestOf(row: RequestRow): ApprovalRequest {
  const { id, environmentId, openedAt, expiresAt } = row;
  const facts: RequestFacts = {
    id,
    subject: subjectOf(row),
    environmentId,
    binding: parsedText(approvalBindingSchema, row.binding, { table: 'approval_request', column: 'binding', id }),
    bindingDigest: row.bindingDigest,
    contentDigest: row.contentDigest,
    headline: row.headline,
    risk: levelOfRank(row.risk),
    targets: row.targetCount,
    decisionId: row.decisionId,
    decision: row.decision,
    autonomyRevisionId: row.autonomyRevisionId,
    bundleRevision: row.bundleRevision,
    excluded: row.excluded.map(({ person_id: personId, why, shares_with: sharesWith }) => ({
      personId,
      why,
      ...(sharesWith === undefined ? {} : { sharesWith }),
    })),
    requester: submitterIn(row),
    start: startOf(row),
    startAfter: row.startAfter,
    openedAt,
    expiresAt,
  };
  const { state, approvedAt, approvalExpiresAt, closedAt, closedReason } = row;
  const approval = approvedAt === null || approvalExpiresAt === null ? null : { approvedAt, approvalExpiresAt };
  switch (state) {
    case 'open':
      return { ...facts, state };
    case 'approved':
      if (approval !== null) return { ...facts, ...approval, state };
      break;
    case 'consumed':
      if (approval !== null && closedAt !== null) return { ...facts, ...approval, state, closedAt };
      break;
    case 'denied':
    case 'changes_requested':
      if (closedAt !== null && closedReason !== null) return { ...facts, state, closedAt, closedReason };
      break;
    case 'expired':
    case 'voided':
      if (closedAt !== null && closedReason !== null) return { ...facts, state, approval, closedAt, closedReason };
  }
  throw new Error(`approval_request ${id} is ${state} and lacks what belongs to it`);
}

/** The columns of a request that change. */
export function changingColumns(
  request: ApprovalRequest,
): Pick<RequestRow, 'state' | 'approvedAt' | 'approvalExpiresAt' | 'closedAt' | 'closedReason'> {
  const approval = approvalOf(request);
  return {
    state: request.state,
    approvedAt: approval?.approvedAt ?? null,
    approvalExpiresAt: approval?.approvalExpiresAt ?? null,
    closedAt: 'closedAt' in request ? request.closedAt : null,
    closedReason: 'closedReason' in request ? request.closedReason : null,
  };
}

export const requestRow = (request: ApprovalRequest, seal: string): RequestRow => {
  const { subject, start } = request;
  return {
    ...request,
    ...storedSubmitter(request.requester),
    ...changingColumns(request),
    subjectType: subject.type,
    subjectId: subject.id,
    ...NO_PLAN,
    ...NO_CALL,
    ...(subject.type === 'plan' ? planColumns(subject) : { sessionId: subject.sessionId }),
    binding: canonicalJson(request.binding),
    risk: rankOfLevel(request.risk),
    targetCount: request.targets,
    excluded: request.excluded.map(excludedFacts),
    start: start.kind,
    startAt: start.kind === 'at' ? start.at : null,
    seal,
  };
};

const NO_PLAN = { taskId: null, simulationId: null, phases: null };
const NO_CALL = { sessionId: null };

const planColumns = ({ taskId, simulationId, phases }: AskedPlan) => ({ taskId, simulationId, phases });

function subjectOf({
  id,
  subjectType: type,
  subjectId,
  taskId,
  simulationId,
  phases,
  sessionId,
}: RequestRow): AskedSubject {
  // The id is that of a thing of this kind: a foreign key of the table says so.
  if (type === 'tool_call') return { type, id: subjectId as ToolCallId, sessionId };
  if (taskId === null || phases === null) throw new Error(`approval_request ${id} is about a plan of no task`);
  // The type of the subject is in the row: a plan is the last one.
  return { type, id: subjectId as PlanId, taskId, simulationId, phases };
}

export function reviewOf(row: ReviewRow): RecordedReview {
  const { seat, mfaMethod, mfaProvedAt } = row;
  return {
    id: row.id,
    personId: row.personId,
    credentialId: row.credentialId,
    verdict: row.verdict,
    comment: row.comment,
    roles: row.roles.map(({ role, assigned_at: assignedAt }): HeldRole => ({ role, assignedAt })),
    delegatedBy: row.delegatedBy,
    seat: { sharedWith: seat.shared_with, knownBy: seat.known_by },
    subjectDigest: row.subjectDigest,
    always: row.always,
    confirmWord: row.confirmWord,
    decisionId: row.decisionId,
    createdAt: row.createdAt,
    mfa: mfaMethod === null || mfaProvedAt === null ? null : { method: mfaMethod, provedAt: mfaProvedAt },
    replacedAt: row.replacedAt,
  };
}

export const reviewRow = (requestId: ApprovalRequestId, review: Review, seal: string): ReviewRow => ({
  ...review,
  requestId,
  roles: review.roles.map(({ role, assignedAt }) => ({ role, assigned_at: assignedAt })),
  seat: seatDocument(review.seat),
  mfaMethod: review.mfa?.method ?? null,
  mfaProvedAt: review.mfa?.provedAt ?? null,
  replacedAt: null,
  seal,
});

function startOf({ id, start, startAt }: RequestRow): Start {
  if (start !== 'at') return { kind: start };
  if (startAt === null) throw new Error(`approval_request ${id} starts at no time`);
  return { kind: 'at', at: startAt };
}
