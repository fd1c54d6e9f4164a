import type { ApprovalBinding, ApprovalState, Decision, Verdict } from '#lib/contracts';
import type {
  ApprovalRequestId,
  AutonomyRevisionId,
  CredentialId,
  DecisionId,
  Digest,
  HeldRole,
  MfaMethod,
  PersonId,
  PlanId,
  ReviewId,
  SimulationId,
  TaskId,
} from '#lib/kernel';
import type { RecordedKnownBy } from '#lib/identity';
import { submitterFromColumns, type SubmitterColumns } from '#lib/task';
import type { RecordedReview } from '../application/approval.ports.js';
import type {
  ApprovalRequest,
  AskedSubject,
  ClosedReason,
  Exclusion,
  RequestFacts,
  Start,
} from '../domain/approval-request.js';
import { levelOfRank } from '../domain/request-risk.js';

/** A row of approval_request. */
export interface RequestRow extends SubmitterColumns {
  readonly id: string;
  readonly subject_type: AskedSubject['type'];
  readonly subject_id: string;
  readonly task_id: string;
  readonly simulation_id: string | null;
  readonly state: ApprovalState;
  readonly binding: string;
  readonly binding_digest: string;
  readonly content_digest: string | null;
  readonly phases: AskedSubject['phases'];
  readonly risk: number;
  readonly target_count: number;
  readonly decision_id: string;
  readonly autonomy_revision_id: string | null;
  readonly bundle_revision: string;
  readonly decision: Decision;
  readonly excluded: readonly { readonly person_id: string; readonly why: Exclusion; readonly shares_with?: string }[];
  readonly start: Start['kind'];
  readonly start_at: Date | null;
  readonly start_after: Date | null;
  readonly opened_at: Date;
  readonly expires_at: Date;
  readonly granted_at: Date | null;
  readonly grant_expires_at: Date | null;
  readonly closed_at: Date | null;
  readonly closed_reason: ClosedReason | null;
  readonly seal: string;
}

/** A row of review. */
export interface ReviewRow {
  readonly id: string;
  readonly request_id: string;
  readonly person_id: string;
  readonly credential_id: string;
  readonly verdict: Verdict;
  readonly comment: string;
  readonly roles: readonly { readonly role: string; readonly granted_at: number }[];
  readonly on_loan_from: string | null;
  readonly seat: { readonly shared_with: readonly PersonId[]; readonly known_by: readonly RecordedKnownBy[] } | null;
  readonly plan_digest: string;
  readonly decision_id: string;
  readonly created_at: Date;
  readonly replaced_at: Date | null;
  readonly mfa_method: MfaMethod | null;
  readonly mfa_proved_at: Date | null;
  readonly seal: string;
}

/** @throws where a row is not what the table's constraints promise. */
export function requestOf(row: RequestRow): ApprovalRequest {
  const facts: RequestFacts = {
    id: row.id as ApprovalRequestId,
    subject: {
      type: row.subject_type,
      id: row.subject_id as PlanId,
      taskId: row.task_id as TaskId,
      simulationId: row.simulation_id as SimulationId | null,
      phases: row.phases,
    },
    binding: JSON.parse(row.binding) as ApprovalBinding,
    bindingDigest: row.binding_digest as Digest,
    contentDigest: row.content_digest as Digest | null,
    risk: levelOfRank(row.risk),
    targets: row.target_count,
    decisionId: row.decision_id as DecisionId,
    decision: row.decision,
    autonomyRevisionId: row.autonomy_revision_id as AutonomyRevisionId | null,
    bundleRevision: row.bundle_revision,
    excluded: row.excluded.map(({ person_id, why, shares_with }) => ({
      personId: person_id as PersonId,
      why,
      ...(shares_with === undefined ? {} : { sharesWith: shares_with as PersonId }),
    })),
    requester: submitterFromColumns(row),
    start: startOf(row),
    startAfter: row.start_after?.getTime() ?? null,
    openedAt: row.opened_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
  const grant =
    row.granted_at === null || row.grant_expires_at === null
      ? null
      : { grantedAt: row.granted_at.getTime(), grantExpiresAt: row.grant_expires_at.getTime() };
  const { state } = row;
  switch (state) {
    case 'open':
      return { ...facts, state };
    case 'granted':
      if (grant !== null) return { ...facts, ...grant, state };
      break;
    case 'consumed':
      if (grant !== null && row.closed_at !== null)
        return { ...facts, ...grant, state, closedAt: row.closed_at.getTime() };
      break;
    case 'denied':
    case 'changes_requested':
      if (row.closed_at !== null && row.closed_reason !== null) {
        return { ...facts, state, closedAt: row.closed_at.getTime(), closedReason: row.closed_reason };
      }
      break;
    case 'expired':
    case 'voided':
      if (row.closed_at !== null && row.closed_reason !== null) {
        return { ...facts, state, grant, closedAt: row.closed_at.getTime(), closedReason: row.closed_reason };
      }
  }
  throw new Error(`approval_request ${row.id} is ${state} and lacks what belongs to it`);
}

/** What of a request changes, as columns. */
export function changingColumns(request: ApprovalRequest): {
  readonly state: ApprovalState;
  readonly grantedAt: Date | null;
  readonly grantExpiresAt: Date | null;
  readonly closedAt: Date | null;
  readonly closedReason: string | null;
} {
  const grant = grantOf(request);
  return {
    state: request.state,
    grantedAt: grant === null ? null : new Date(grant.grantedAt),
    grantExpiresAt: grant === null ? null : new Date(grant.grantExpiresAt),
    closedAt: 'closedAt' in request ? new Date(request.closedAt) : null,
    closedReason: 'closedReason' in request ? JSON.stringify(request.closedReason) : null,
  };
}

export function reviewOf(row: ReviewRow): RecordedReview {
  return {
    id: row.id as ReviewId,
    personId: row.person_id as PersonId,
    credentialId: row.credential_id as CredentialId,
    verdict: row.verdict,
    comment: row.comment,
    roles: row.roles.map(({ role, granted_at }): HeldRole => ({ role, grantedAt: granted_at })),
    onLoanFrom: row.on_loan_from as PersonId | null,
    seat: row.seat === null ? null : { sharedWith: row.seat.shared_with, knownBy: row.seat.known_by },
    planDigest: row.plan_digest,
    decisionId: row.decision_id as DecisionId,
    createdAt: row.created_at.getTime(),
    mfa:
      row.mfa_method === null || row.mfa_proved_at === null
        ? null
        : { method: row.mfa_method, provedAt: row.mfa_proved_at.getTime() },
    replacedAt: row.replaced_at?.getTime() ?? null,
  };
}

function grantOf(request: ApprovalRequest): { readonly grantedAt: number; readonly grantExpiresAt: number } | null {
  switch (request.state) {
    case 'granted':
    case 'consumed':
      return request;
    case 'expired':
    case 'voided':
      return request.grant;
    default:
      return null;
  }
}

function startOf(row: RequestRow): Start {
  if (row.start !== 'at') return { kind: row.start };
  if (row.start_at === null) throw new Error(`approval_request ${row.id} starts at no time`);
  return { kind: 'at', at: row.start_at.getTime() };
}
