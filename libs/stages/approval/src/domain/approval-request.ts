import type { ApprovalBinding, ConfirmWord, ToolLevel, Verdict, Decision, EXCLUSIONS } from '#lib/formats';
import {
  inPlan,
  type ApprovalRequestId,
  type AutonomyRevisionId,
  type CredentialId,
  type DecisionId,
  type Digest,
  type EnvironmentId,
  type Failure,
  type HeldRole,
  type PersonId,
  type PlanId,
  type SessionId,
  type SimulationId,
  type SubjectRef,
  type TaskId,
  type ToolCallId,
} from '#lib/kernel';
import type { MfaProof, RecordedKnownBy } from '#lib/identity';
import type { Submitter } from '#lib/task';
import type { ReviewId } from './ids.js';

/** The start of the run after the approval. */
export type Start =
  | { readonly kind: 'on_approval' }
  | { readonly kind: 'manual' }
  /** Epoch milliseconds. */
  | { readonly kind: 'at'; readonly at: number };

/** The reason that a person can never review a request. */
export type Exclusion = (typeof EXCLUSIONS)[number];

export interface ExcludedPerson {
  readonly personId: PersonId;
  readonly why: Exclusion;
  /** The person who shares one vote with them, for `same_hand`. */
  readonly sharesWith?: PersonId;
}

/** The reason that a request closed without a run. `details` are machine-readable and hold no secrets. */
export interface ClosedReason {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, readonly string[] | string>>;
}

/** A plan that people are asked about. */
export interface AskedPlan extends SubjectRef<'plan', PlanId> {
  readonly taskId: TaskId;
  readonly simulationId: SimulationId | null;
  /** The phases that would run: all, the canary phases, or the rest after a canary. */
  readonly phases: 'all' | 'canary' | 'promotion';
}

/** A single call that people are asked about, before it is made. */
export interface AskedCall extends SubjectRef<'tool_call', ToolCallId> {
  /** The session that it is a call of; null for a call by itself. */
  readonly sessionId: SessionId | null;
}

/** The subject of a request, discriminated by `type`. A kind is one member here, and one of `ApprovalSubject`. */
export type AskedSubject = AskedPlan | AskedCall;

/** The members of a request that never change. Times are epoch milliseconds. */
export interface RequestFacts {
  readonly id: ApprovalRequestId;
  readonly subject: AskedSubject;
  readonly environmentId: EnvironmentId;
  readonly binding: ApprovalBinding;
  readonly bindingDigest: Digest;
  /** Digest of the question without its task. */
  readonly contentDigest: Digest;
  /** The effect of its subject in one line, as it was when people were asked. */
  readonly headline: string;
  /** The level of the riskiest tool that would run. */
  readonly risk: ToolLevel;
  /** How many distinct targets its subject has. */
  readonly targets: number;
  readonly decisionId: DecisionId;
  /** The decision that asked for people: its obligations are carried out as they were then. */
  readonly decision: Decision;
  readonly autonomyRevisionId: AutonomyRevisionId | null;
  readonly bundleRevision: string;
  readonly excluded: readonly ExcludedPerson[];
  readonly requester: Submitter;
  readonly start: Start;
  /** The end of a freeze or temporary refusal that holds an automatic start back; null for none. */
  readonly startAfter: number | null;
  readonly openedAt: number;
  /** The end of the time to decide. */
  readonly expiresAt: number;
}

interface Approval {
  readonly approvedAt: number;
  /** The end of the time to start a run. */
  readonly approvalExpiresAt: number;
}

interface Closed {
  readonly closedAt: number;
  readonly closedReason: ClosedReason;
}

/** The members of a request that policy reads for a review. */
export type Reviewable = Pick<RequestFacts, 'id' | 'requester' | 'excluded' | 'decision' | 'openedAt' | 'expiresAt'> & {
  readonly subject: Pick<AskedSubject, 'type'>;
  readonly state: ApprovalRequest['state'];
};

export type UndecidedRequest = RequestFacts & { readonly state: 'open' };
export type ApprovedRequest = RequestFacts & Approval & { readonly state: 'approved' };

/** A request that is not closed: people decide it, or it waits for its run. */
export type LiveRequest = UndecidedRequest | ApprovedRequest;
export type ConsumedRequest = RequestFacts & Approval & { readonly state: 'consumed'; readonly closedAt: number };
/** A request that ended unused. It keeps the approval that it had. */
type UnusedRequest = RequestFacts & Closed & { readonly approval: Approval | null };
export type ExpiredRequest = UnusedRequest & { readonly state: 'expired' };
export type VoidedRequest = UnusedRequest & { readonly state: 'voided' };

/** A question to people: may exactly this be executed? One request serves one run, or one call. */
export type ApprovalRequest =
  | LiveRequest
  | ConsumedRequest
  | (RequestFacts & Closed & { readonly state: 'denied' | 'changes_requested' })
  | ExpiredRequest
  | VoidedRequest;

export const isLive = (request: ApprovalRequest): request is LiveRequest =>
  request.state === 'open' || request.state === 'approved';

/** The reviewer's seat at the time of the review. It is fixed with the review, like its roles. */
export interface ReviewSeat {
  /** The people who share the vote of the reviewer or of the delegator, in order of id. */
  readonly sharedWith: readonly PersonId[];
  readonly knownBy: readonly RecordedKnownBy[];
}

/** One person's verdict on a request. A later one of the same person replaces it while the request is open. */
export interface Review {
  readonly id: ReviewId;
  readonly personId: PersonId;
  readonly credentialId: CredentialId;
  readonly verdict: Verdict;
  readonly comment: string;
  /** The roles that count: held at that moment, and since before the request opened. */
  readonly roles: readonly HeldRole[];
  /** The person who delegated these roles; null if they are the reviewer's own. */
  readonly delegatedBy: PersonId | null;
  readonly seat: ReviewSeat;
  /** The digest of the subject that the reviewer saw. */
  readonly subjectDigest: string;
  /** Whether the approval holds for later calls of this shape in the session, too. */
  readonly always: boolean;
  /** The word that the reviewer typed; null if the request takes none, or they did not approve. */
  readonly confirmWord: ConfirmWord | null;
  readonly decisionId: DecisionId;
  readonly createdAt: number;
  /** The proof of a second factor; null if none was required. */
  readonly mfa: MfaProof | null;
}

export type PlanKey = SubjectRef<'plan', PlanId>;

/** Names a subject: its kind and its id. */
export type SubjectKey = PlanKey | SubjectRef<'tool_call', ToolCallId>;

export const planKey = (id: PlanId): PlanKey => ({ type: 'plan', id });

export const callKey = (id: ToolCallId): SubjectKey => ({ type: 'tool_call', id });

/** The records that a request about this subject belongs to, the outermost first. */
export const belongsTo = (subject: Pick<AskedPlan, 'type' | 'taskId' | 'id'> | AskedCall): readonly SubjectRef[] =>
  subject.type === 'plan'
    ? inPlan({ taskId: subject.taskId, planId: subject.id })
    : [
        ...(subject.sessionId === null ? [] : [{ type: 'session', id: subject.sessionId }]),
        { type: subject.type, id: subject.id },
      ];

/** The place of a decision about a request. */
export function decidedAbout(request: Pick<RequestFacts, 'id' | 'subject'>) {
  const subject = { type: 'approval_request', id: request.id };
  return { subject, within: [...belongsTo(request.subject), subject] };
}

/** The subject in words. */
export const subjectInWords = ({ type }: Pick<AskedSubject, 'type'>): 'plan' | 'call' =>
  type === 'plan' ? 'plan' : 'call';

/** A role gained since a request opened does not count there (T03). */
export const rolesBefore = (held: readonly HeldRole[], openedAt: number): HeldRole[] =>
  held.filter((role) => role.assignedAt < openedAt);

/** The approval of a request; null if it never had one. */
export function approvalOf(request: ApprovalRequest): Approval | null {
  switch (request.state) {
    case 'approved':
    case 'consumed':
      return request;
    case 'expired':
    case 'voided':
      return request.approval;
    default:
      return null;
  }
}

/** The end of the time to decide an open request, or to start an approved one. Null for a closed one. */
export function deadlineOf(request: ApprovalRequest): number | null {
  switch (request.state) {
    case 'open':
      return request.expiresAt;
    case 'approved':
      return request.approvalExpiresAt;
    default:
      return null;
  }
}

/** True by the clock, even before the expiry is recorded. */
export function isDue(request: ApprovalRequest, now: number): boolean {
  const deadline = deadlineOf(request);
  return deadline !== null && now >= deadline;
}

/** The refusal of an event, a review or a start after the request's time. */
export const approvalExpired: Failure = {
  kind: 'conflict',
  code: 'approval.expired',
  message: 'This approval request has expired.',
  action: 'Ask for approval again.',
};
