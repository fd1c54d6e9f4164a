import type { ApprovalState, ToolLevel } from '#lib/formats';
import type {
  AgentId,
  ApprovalRequestId,
  Digest,
  Failure,
  PageRequest,
  PersonId,
  PlanId,
  Principal,
  ReviewId,
  TaskId,
  Tx,
} from '#lib/kernel';
import type { KnownBy } from '#lib/identity';
import type { WorkFilter } from '#lib/task';
import type { ApprovalRequest, GrantedRequest, Review, SubjectKey } from '../domain/approval-request.js';
import type { Absence } from '../domain/absence.js';
import type { ApprovalSubject, PlanSubject, SubjectSimulation } from '../domain/approval-subject.js';
import type { Claim } from '../domain/claim.js';
import type { Loan } from '../domain/loan.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import type { Reminder, ReminderKind } from '../domain/reminders.js';
import type { RequestOfTask } from '../domain/task-history.js';

/** Which requests a list holds; a member left out does not filter. */
export interface RequestFilter extends WorkFilter {
  readonly state?: ApprovalState;
  /** Only those that people can still decide. */
  readonly undecided?: true;
  /** Only those that are granted, start by hand alone, and concern this person: they asked, or answer for the agent that did. */
  readonly startableBy?: PersonId;
  /** Only those with a review of this person that counts. */
  readonly reviewedBy?: PersonId;
  /** Only those without. */
  readonly notReviewedBy?: PersonId;
  readonly subject?: SubjectKey;
  readonly taskId?: TaskId;
}

/** Where a page of somebody's queue begins: after this row, in its order. */
export interface QueueKey {
  readonly risk: ToolLevel;
  /** How many distinct targets its subject has. */
  readonly targets: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly id: ApprovalRequestId;
}

/** What people want to know of a request before they open it. */
export interface QueuedAbout {
  readonly goal: string;
  readonly environment: { readonly id: string; readonly name: string; readonly production: boolean };
}

/** What approvals are grouped by: the tools that would run, the agent that asked, or the people who reviewed. */
export type StatisticsBy = 'tool' | 'agent' | 'person';

/** Epoch milliseconds; requests that opened within. */
export interface StatisticsPeriod {
  readonly from: number;
  readonly until: number;
}

/**
 * How people decide on one tool, or on one agent; or how one person decides. A request counts for each tool it would run, and
 * for each person who reviewed it: with that person's own verdict, whatever the others said.
 */
export interface ApprovalFigures {
  /** The tool's name, or the id of the agent or the person. */
  readonly key: string;
  readonly name: string;
  readonly requests: number;
  /** Those that people brought to an end: granted, rejected, or sent back. */
  readonly decided: number;
  /** Of those, rejected or sent back: where people overrode what the agent wanted. */
  readonly overridden: number;
  /** Of those, rejected. */
  readonly rejected: number;
  /** Seconds from opening to the decision; null where nothing was decided. */
  readonly medianSeconds: number | null;
  readonly slowestTenthSeconds: number | null;
  /** Approvals that were given. */
  readonly approvals: number;
  /** Of those, by somebody to whom a screen had shown the request: only for them is known how fast they were. */
  readonly approvalsAfterLook: number;
  /** Of those, within five seconds of the first look. */
  readonly underFiveSeconds: number;
  /** Of the approvals, those given by a button in Slack. */
  readonly inSlack: number;
  /** Of these, within five seconds of the message: so, at the latest then, of the first look. */
  readonly inSlackWithinFiveSeconds: number;
}

/** Approval requests and their reviews, of the transaction's tenant. */
export interface ApprovalRepository {
  insert(tx: Tx, request: ApprovalRequest): Promise<void>;
  find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null>;
  /** The same, and nobody else changes it until this transaction ends. After its subject. */
  lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null>;
  /** The subject's one request that is open or granted, locked. */
  lockLive(tx: Tx, subject: SubjectKey): Promise<ApprovalRequest | null>;
  /** State, grant and closing; everything else never changes. */
  save(tx: Tx, request: ApprovalRequest): Promise<void>;
  /** The start that was to come by itself comes after this. */
  holdBack(tx: Tx, id: ApprovalRequestId, until: number): Promise<void>;
  /** Newest first. */
  list(tx: Tx, filter: RequestFilter, page: PageRequest): Promise<readonly ApprovalRequest[]>;
  /** The task's requests, in the order in which they were opened. */
  ofTask(tx: Tx, taskId: TaskId): Promise<readonly RequestOfTask[]>;
  /** The task's requests that this person approved, newest first. */
  approvedBy(tx: Tx, taskId: TaskId, personId: PersonId): Promise<readonly ApprovalRequest[]>;

  /** Open requests that the person has not reviewed, the riskiest first, and of those the one that ends first. */
  waiting(
    tx: Tx,
    personId: PersonId,
    page: { readonly limit: number; readonly after: QueueKey | null },
  ): Promise<readonly ApprovalRequest[]>;
  /** The subjects of requests, as lists show them, in one query. */
  about(tx: Tx, ids: readonly ApprovalRequestId[]): Promise<ReadonlyMap<ApprovalRequestId, QueuedAbout>>;
  /** The agent's open request of this content, under whichever task; null where there is none (T09). */
  identical(tx: Tx, agentId: AgentId, content: Digest): Promise<ApprovalRequest | null>;

  /** @param replaced the earlier review of the same person; null for a first review. */
  insertReview(tx: Tx, requestId: ApprovalRequestId, review: Review, replaced: ReviewId | null): Promise<void>;
  /** The reviews that count, one a person, in the order they were given. */
  reviews(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Review[]>;
  /** The same of many requests, in one query. */
  reviewsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
  ): Promise<ReadonlyMap<ApprovalRequestId, readonly Review[]>>;
  /** Also those that were replaced. */
  reviewHistory(tx: Tx, requestId: ApprovalRequestId): Promise<readonly RecordedReview[]>;
}

export interface RecordedReview extends Review {
  /** When the same person reviewed again; null for a review that counts. */
  readonly replacedAt: number | null;
}

/** Who looks at which request, and who has. */
export interface ClaimRepository {
  /** The claim that stands at that moment. */
  claim(tx: Tx, requestId: ApprovalRequestId, now: number): Promise<Claim | null>;
  /** The same of many requests, in one query. */
  claimsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
    now: number,
  ): Promise<ReadonlyMap<ApprovalRequestId, Claim>>;
  saveClaim(tx: Tx, requestId: ApprovalRequestId, claim: Claim): Promise<void>;
  /** @returns whether the person had claimed it. */
  releaseClaim(tx: Tx, requestId: ApprovalRequestId, personId: PersonId): Promise<boolean>;
  /** @returns whether it was their first look. */
  saw(tx: Tx, requestId: ApprovalRequestId, personId: PersonId, at: number): Promise<boolean>;
}

/** What is to be told of requests. */
export interface ReminderRepository {
  plan(tx: Tx, requestId: ApprovalRequestId, reminders: readonly Reminder[]): Promise<void>;
  unsettled(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Reminder[]>;
  settle(
    tx: Tx,
    requestId: ApprovalRequestId,
    which: ReminderKind,
    how: { readonly at: number; readonly sent: boolean },
  ): Promise<void>;
  /** Whom an escalation of this request tells; null where none is planned. */
  escalation(
    tx: Tx,
    requestId: ApprovalRequestId,
  ): Promise<{ readonly at: number; readonly roles: readonly string[]; readonly told: boolean } | null>;
}

/** Counts how people decide. */
export interface StatisticsRepository {
  /** By how often they were asked. */
  figures(tx: Tx, by: StatisticsBy, period: StatisticsPeriod): Promise<readonly ApprovalFigures[]>;
}

/** How often agents ask. */
export interface FloodRepository {
  /** When the agent's latest requests opened, newest first; nobody else asks for it until this transaction ends. */
  latest(tx: Tx, agentId: AgentId, limit: number): Promise<readonly number[]>;
  /** @returns whether it was not throttled already. */
  throttled(tx: Tx, agentId: AgentId, at: { readonly since: number; readonly until: number }): Promise<boolean>;
}

/** What a use case decides on, under its locks until the transaction ends. */
export interface HeldSubject<Subject = ApprovalSubject> {
  readonly subject: Subject;
  readonly request: ApprovalRequest | null;
  /** The person who looks at the request. */
  readonly claim: Claim | null;
  /** The database's clock after all locks, epoch milliseconds. */
  readonly now: number;
  /** The people whose reviews count on the request. */
  readonly reviewedBy: readonly PersonId[];
  /** The reviews that count on the request. @throws {FailureError} `record.not_authentic`. */
  reviews(): Promise<readonly Review[]>;
}

/** The same with a request. */
export interface HeldRequest<Subject = ApprovalSubject> extends HeldSubject<Subject> {
  readonly request: ApprovalRequest;
}

/** A request as a use case left it, with what the use case read. */
export interface RequestAsLeft {
  readonly request: ApprovalRequest;
  readonly subject: ApprovalSubject;
  /** The reviews that count now. */
  readonly reviews: readonly Review[];
  /** The standing of the reviewers, and of the person who looks at the request. */
  readonly people: PeopleNow;
  readonly claim: Claim | null;
  /** The database's clock under the locks, epoch milliseconds. */
  readonly now: number;
}

/** Reads everything that an approval is about, for each kind of subject. */
export interface ApprovalSubjects {
  /**
   * Locks bundle, autonomy document, tools and executors FOR SHARE, then the subject with the things it belongs to, the
   * outermost first, then its request that is open or granted. Null for a subject that is not there.
   */
  hold(tx: Tx, subject: SubjectKey): Promise<HeldSubject | null>;
  /** The same with this request, in any state. Null for a request that is not there. */
  holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null>;
  /** The subject without locks. */
  read(tx: Tx, subject: SubjectKey): Promise<ApprovalSubject | null>;
}

/** The same of one kind. */
export interface SubjectsOfKind<Subject, Id> {
  hold(tx: Tx, id: Id): Promise<HeldSubject<Subject> | null>;
  holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<Subject> | null>;
  read(tx: Tx, id: Id): Promise<Subject | null>;
}

/** The same of plans: locks the task, then the plan. Null also for a plan without an expansion. */
export type PlanSubjects = SubjectsOfKind<PlanSubject, PlanId>;

/** The prediction that counts for a plan. */
export interface PlanSimulations {
  /** The latest with a result, stale or not, or else the latest. */
  counting(tx: Tx, planId: PlanId): Promise<SubjectSimulation | null>;
}

/** How people stand, by person. */
export type PeopleNow = ReadonlyMap<PersonId, PersonStanding>;

/** How people stand now. */
export interface People {
  /** In one query; people who are not the tenant's are absent. */
  standing(tx: Tx, ids: readonly PersonId[]): Promise<PeopleNow>;
  /** What these people were handed for an absence and was not taken back, whatever its dates; absent: nothing. */
  loans(tx: Tx, delegates: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly Loan[]>>;
  /** Those who hold one of these roles, or stand in for somebody who does; `any` is everybody with a role. */
  reviewing(tx: Tx, roles: readonly string[], most: number): Promise<readonly PersonId[]>;
  /** How they came in, and those whose hands they came in by. */
  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>>;
}

/** Who there is that could review. */
export interface ReviewerCensus {
  /** Everybody who came in and is not disabled, with whether they have a second factor; by name, a thousand at most. */
  everybody(tx: Tx): Promise<readonly { readonly personId: PersonId; readonly factor: boolean }[]>;
  /** The agent's name and owner, and who made the tokens that open for it now; null if there is no such agent. */
  agent(
    tx: Tx,
    id: AgentId,
  ): Promise<{ readonly name: string; readonly ownerId: PersonId; readonly speakers: readonly PersonId[] } | null>;
}

/** Absences as they were made. */
export interface AbsenceRepository {
  insert(tx: Tx, absence: Absence): Promise<void>;
  /** Nobody else changes it until this transaction ends. */
  lock(tx: Tx, id: string): Promise<Absence | null>;
  end(tx: Tx, id: string, how: { readonly at: number; readonly by: PersonId }): Promise<void>;
  /** Newest first. */
  list(tx: Tx, page: PageRequest): Promise<readonly Absence[]>;
  /** Those in which these people stand in for somebody, that were not taken back. */
  handedTo(tx: Tx, delegates: readonly PersonId[]): Promise<readonly Absence[]>;
}

/** A request that was just granted, and should lead to a run. */
export interface ApprovalGranted {
  readonly request: GrantedRequest;
  /** Those that count on it. */
  readonly reviews: readonly Review[];
  /** Of the request. Both are locked in this transaction. */
  readonly subject: ApprovalSubject;
  /** The standing of the reviewers and of the principal, as the caller read it under these locks. */
  readonly people: PeopleNow;
  /** Who gave the last approval, or the worker where the time to start has come. */
  readonly principal: Principal;
  readonly at: number;
}

/**
 * Told in the transaction in which a request is granted that starts on approval, or in which a granted request's time
 * has come. The run engine creates the run; it asks {@link AuthorizeStart} as for any other start.
 */
export interface ApprovalGrantedListener {
  /** @returns why no run was started; null if a run was, which consumed the request at `event.at`. */
  approvalGranted(tx: Tx, event: ApprovalGranted): Promise<Failure | null>;
}

/** Whether the canary phases of a plan have been run, so that what is left is the rest; implemented by the run engine. */
export interface CanaryHistory {
  canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean>;
}
