import type { ApprovalBinding, ToolLevel, Verdict } from '#lib/formats';
import type { Decision, EXCLUSIONS } from '#lib/policy-inputs';
import {
  inPlan,
  type ApprovalRequestId,
  type AutonomyRevisionId,
  type CredentialId,
  type DecisionId,
  type Digest,
  type HeldRole,
  type MfaProof,
  type PersonId,
  type PlanId,
  type ReviewId,
  type SimulationId,
  type SubjectRef,
  type TaskId,
} from '#lib/kernel';
import type { RecordedKnownBy } from '#lib/identity';
import type { Submitter } from '#lib/task';

/** When the run starts once the request is granted. */
export type Start =
  | { readonly kind: 'on_approval' }
  | { readonly kind: 'manual' }
  /** Epoch milliseconds. */
  | { readonly kind: 'at'; readonly at: number };

/** Why somebody can never review a request. */
export type Exclusion = (typeof EXCLUSIONS)[number];

export interface ExcludedPerson {
  readonly personId: PersonId;
  readonly why: Exclusion;
  /** With whom they share one vote, for `same_hand`. */
  readonly sharesWith?: PersonId;
}

/** Why a request was closed without serving a run; `details` are machine-readable and hold no secrets. */
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

/** The subject of a request, discriminated by `type`. A kind is one member here, and one of `ApprovalSubject`. */
export type AskedSubject = AskedPlan;

/** What a request is from its first moment, and never changes. Times are epoch milliseconds. */
export interface RequestFacts {
  readonly id: ApprovalRequestId;
  readonly subject: AskedSubject;
  readonly binding: ApprovalBinding;
  readonly bindingDigest: Digest;
  /** Of what is asked, whichever task it is asked under; null for requests from before it was kept. */
  readonly contentDigest: Digest | null;
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
  /** Until when a freeze, or a refusal that passes, holds the start back that was to come by itself; null where none does. */
  readonly startAfter: number | null;
  readonly openedAt: number;
  /** Until when it can be decided. */
  readonly expiresAt: number;
}

interface Grant {
  readonly grantedAt: number;
  /** Until when a run may start on it. */
  readonly grantExpiresAt: number;
}

interface Closed {
  readonly closedAt: number;
  readonly closedReason: ClosedReason;
}

/** As much of a request as policy is told when somebody reviews it. */
export type Reviewable = Pick<RequestFacts, 'id' | 'requester' | 'excluded' | 'decision' | 'openedAt' | 'expiresAt'> & {
  readonly state: ApprovalRequest['state'];
};

export type OpenRequest = RequestFacts & { readonly state: 'open' };
export type GrantedRequest = RequestFacts & Grant & { readonly state: 'granted' };

/** A question to people: may exactly this be executed? One request serves one run. */
export type ApprovalRequest =
  | OpenRequest
  | GrantedRequest
  | (RequestFacts & Grant & { readonly state: 'consumed'; readonly closedAt: number })
  | (RequestFacts & Closed & { readonly state: 'denied' | 'changes_requested' })
  | (RequestFacts & Closed & { readonly state: 'expired' | 'voided'; readonly grant: Grant | null });

/** How the reviewer stood when they reviewed, for this request: fixed with the review, as its roles are. */
export interface ReviewSeat {
  /** The hands they, and whoever they stand in for, came in by; in order of id. */
  readonly sharedWith: readonly PersonId[];
  readonly knownBy: readonly RecordedKnownBy[];
}

/** What one person said of one request; a later one by the same person replaces it while the request is open. */
export interface Review {
  readonly id: ReviewId;
  readonly personId: PersonId;
  readonly credentialId: CredentialId;
  readonly verdict: Verdict;
  readonly comment: string;
  /** The roles that count here: held at that moment, and since before the request opened. */
  readonly roles: readonly HeldRole[];
  /** Whose roles these are, where the reviewer stood in for somebody; null: their own. */
  readonly onLoanFrom: PersonId | null;
  /** With whom the reviewer shares one vote, and by what they are known; null for reviews from before it was kept. */
  readonly seat: ReviewSeat | null;
  /** The plan that the reviewer saw. */
  readonly planDigest: string;
  readonly decisionId: DecisionId;
  readonly createdAt: number;
  /** How a second factor was proved for it; null where none was asked for. */
  readonly mfa: MfaProof | null;
}

/** Names a subject: its kind and its id. */
export type SubjectKey = Pick<AskedSubject, 'type' | 'id'>;

export const planKey = (id: PlanId): SubjectKey => ({ type: 'plan', id });

/** The things that whatever happens to a request happens in, the outermost first: the subject's own, then the subject. */
export const belongsTo = ({ taskId, id }: Pick<AskedPlan, 'taskId' | 'id'>): readonly SubjectRef[] =>
  inPlan({ taskId, planId: id });

/** A role gained since a request opened does not count there (T03). */
export const rolesBefore = (held: readonly HeldRole[], openedAt: number): HeldRole[] =>
  held.filter((role) => role.grantedAt < openedAt);

/** Until when the request can still go on: to be decided while open, to be started while granted; null once closed. */
export function deadlineOf(request: ApprovalRequest): number | null {
  switch (request.state) {
    case 'open':
      return request.expiresAt;
    case 'granted':
      return request.grantExpiresAt;
    default:
      return null;
  }
}

/** True by the clock, whether or not anybody has recorded it yet. */
export function isDue(request: ApprovalRequest, now: number): boolean {
  const deadline = deadlineOf(request);
  return deadline !== null && now >= deadline;
}
