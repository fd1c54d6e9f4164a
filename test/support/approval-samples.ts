import type { ApprovalBinding, ApprovalSlot, ApprovalState, Decision } from '#lib/formats';
import { boundDigest, type ApprovalRequest, type Review } from '#lib/approval';
import {
  digestOf,
  newId,
  type AgentId,
  type ApprovalRequestId,
  type CredentialId,
  type DecisionId,
  type Digest,
  type EnvironmentId,
  type PersonId,
  type PlanId,
  type TaskId,
} from '#lib/kernel';
import type { ReviewId } from '../../libs/stages/approval/src/domain/ids.js';

/** A digest that is told from others by one character. */
export const digest = (mark: string): Digest => `sha256:${mark.repeat(64)}`;

const sampleBinding: ApprovalBinding = {
  subject: { plan: digest('3'), task: digest('1'), simulation: digest('7') },
  environment: digest('2'),
  tools: { 'execute_rollout_prod@1': digest('4'), 'query_assets@2': digest('5') },
  executors: { fleet: digest('6') },
};

/** A decision that asks these people. */
const decisionAsking = (...approvals: ApprovalSlot[]): Decision => ({
  outcome: 'require_approval',
  reasons: [
    {
      code: 'approval.required',
      message: 'Tool execute_rollout_prod requires approved plan',
      rule: 'countersign.approvals',
    },
  ],
  obligations: { approvals, mfa: false, phases: 'all', audit_level: 'full_with_evidence', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'autonomy.mode' },
});

export const OPENED_AT = Date.UTC(2026, 0, 15, 9);
export const EXPIRES_AT = OPENED_AT + 3_600_000;
export const APPROVED_AT = OPENED_AT + 600_000;
export const APPROVAL_EXPIRES_AT = APPROVED_AT + 3_600_000;

/** A request in a state, with one SRELead and one SecurityReviewer to approve it unless said otherwise. */
export function requestIn(state: ApprovalState, slots?: ApprovalSlot[]): ApprovalRequest {
  const facts = {
    id: newId<ApprovalRequestId>(),
    subject: {
      type: 'plan' as const,
      id: newId<PlanId>(),
      taskId: newId<TaskId>(),
      simulationId: null,
      phases: 'all' as const,
    },
    environmentId: newId<EnvironmentId>(),
    binding: sampleBinding,
    bindingDigest: digest('8'),
    decisionId: newId<DecisionId>(),
    decision: decisionAsking(
      ...(slots ?? [
        { count: 1, roles: ['SRELead'] },
        { count: 1, roles: ['SecurityReviewer'] },
      ]),
    ),
    headline: 'execute_rollout_prod on 3 targets, revision 1',
    risk: 'critical' as const,
    targets: 3,
    contentDigest: digestOf('approval-content', {}),
    autonomyRevisionId: null,
    bundleRevision: 'b'.repeat(64),
    excluded: [],
    requester: {
      kind: 'agent' as const,
      id: newId<AgentId>(),
      onBehalfOf: null,
      credentialId: newId<CredentialId>(),
    },
    start: { kind: 'manual' as const },
    startAfter: null,
    openedAt: OPENED_AT,
    expiresAt: EXPIRES_AT,
  };
  const approval = { approvedAt: APPROVED_AT, approvalExpiresAt: APPROVAL_EXPIRES_AT };
  const closed = { closedAt: APPROVED_AT + 1, closedReason: { code: 'test.closed', message: 'closed by the test' } };
  switch (state) {
    case 'open':
      return { ...facts, state };
    case 'approved':
      return { ...facts, ...approval, state };
    case 'consumed':
      return { ...facts, ...approval, state, closedAt: closed.closedAt };
    case 'denied':
    case 'changes_requested':
      return { ...facts, ...closed, state };
    case 'expired':
    case 'voided':
      return { ...facts, ...closed, state, approval: null };
  }
}

/** A review of the sample plan. */
export const reviewBy = (
  personId: PersonId,
  verdict: Review['verdict'],
  roles: readonly string[] = ['SRELead'],
  more: Partial<Review> = {},
): Review => ({
  id: newId<ReviewId>(),
  personId,
  credentialId: newId<CredentialId>(),
  verdict,
  comment: verdict === 'approve' ? '' : 'not like this',
  roles: roles.map((role) => ({ role, assignedAt: OPENED_AT - 1_000 })),
  delegatedBy: null,
  seat: { sharedWith: [], knownBy: [] },
  subjectDigest: boundDigest(sampleBinding),
  always: false,
  confirmWord: null,
  decisionId: newId<DecisionId>(),
  createdAt: OPENED_AT + 1_000,
  mfa: null,
  ...more,
});

export const people = (count: number): PersonId[] => Array.from({ length: count }, () => newId<PersonId>());
