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
  TaskId,
  ToolCallId,
  Tx,
} from '#lib/kernel';
import type { Caller, KnownBy } from '#lib/identity';
import type { WorkFilter } from '#lib/task';
import type { ToolVersion } from '#lib/tool';
import type {
  ApprovalRequest,
  ApprovedRequest,
  ClosedReason,
  Review,
  SubjectKey,
  LiveRequest,
} from '../domain/approval-request.js';
import type { LimitedRequester } from '../domain/request-flood.js';
import type { Absence } from '../domain/absence.js';
import type { ApprovalSubject, PlanSubject, SubjectSimulation } from '../domain/approval-subject.js';
import type { CallSubject, SubjectCall } from '../domain/call-subject.js';
import type { Claim } from '../domain/claim.js';
import type { Delegation } from '../domain/delegation.js';
import type { ReviewId } from '../domain/ids.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import type { Reminder, ReminderKind } from '../domain/reminders.js';
import type { RequestOfTask } from '../domain/task-history.js';

/** Filters a list of requests; an absent member does not filter. */
export interface RequestFilter extends WorkFilter {
  readonly state?: ApprovalState;
  /** Only requests that people can still decide. */
  readonly undecided?: true;
  /** Only approved requests with a manual start that this person, or an agent of this person, asked for. */
  readonly startableBy?: PersonId;
  /** Only requests with a counting review of this person. */
  readonly reviewedBy?: PersonId;
  /** Only requests without one. */
  readonly notReviewedBy?: PersonId;
  readonly subject?: SubjectKey;
  readonly taskId?: TaskId;
}

/** The row after which a page of a person's queue begins. */
export interface QueueKey {
  readonly risk: ToolLevel;
  /** How many distinct targets its subject has. */
  readonly targets: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly id: ApprovalRequestId;
}

/** The environment of a subject, as lists show it. */
interface AboutEnvironment {
  readonly environment: { readonly id: string; readonly name: string; readonly production: boolean };
}

/** The plan of a request, as lists show it. */
export interface PlanAbout extends AboutEnvironment {
  readonly type: 'plan';
  readonly goal: string;
}

/** The call of a request, as lists show it. */
export interface CallAbout extends AboutEnvironment, Pick<SubjectCall, 'category' | 'impact' | 'reason'> {
  readonly type: 'tool_call';
  readonly tool: string;
}

/** The subject of a request, as lists show it. */
export type QueuedAbout = PlanAbout | CallAbout;

/** Groups approvals by the tools that would run, the agent that asked, or the people who reviewed. */
export type StatisticsBy = 'tool' | 'agent' | 'person';

/** Epoch milliseconds; requests that opened within. */
export interface StatisticsPeriod {
  readonly from: number;
  readonly until: number;
}

/**
 * Decisions about one tool, about one agent, or of one person. A request counts for each tool that it would run. It
 * counts for each reviewer, by that person's own verdict.
 */
export interface ApprovalStatistic {
  /** The tool's name, or the id of the agent or the person. */
  readonly key: string;
  readonly name: string;
  readonly requests: number;
  /** Requests that people approved, rejected or sent back. */
  readonly decided: number;
  /** Of these, rejected or sent back: people overrode the agent. */
  readonly overridden: number;
  /** Of these, rejected. */
  readonly rejected: number;
  /** Seconds from opening to the decision; null if nothing was decided. */
  readonly medianSeconds: number | null;
  readonly slowestTenthSeconds: number | null;
  /** Approvals that were given. */
  readonly approvals: number;
  /** Of these, by people who had seen the request on a screen: only their speed is known. */
  readonly approvalsAfterLook: number;
  /** Of these, within five seconds of the first look. */
  readonly underFiveSeconds: number;
  /** Of the approvals, those given by a button in Slack. */
  readonly inSlack: number;
  /** Of these, within five seconds of the message, which is the latest first look. */
  readonly inSlackWithinFiveSeconds: number;
}

/** Approval requests and their reviews, of the transaction's tenant. */
export interface ApprovalRepository {
  insert(tx: Tx, request: ApprovalRequest): Promise<void>;
  find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null>;
  /** Locks it until the transaction ends. Called after the lock on its subject. */
  lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null>;
  /** The subject's one request that is open or approved, locked. */
  lockLive(tx: Tx, subject: SubjectKey): Promise<LiveRequest | null>;
  /** State, approval and closing; everything else never changes. */
  save(tx: Tx, request: ApprovalRequest): Promise<void>;
  /** Puts the automatic start off until then. */
  holdBack(tx: Tx, id: ApprovalRequestId, until: number): Promise<void>;
  /** Newest first. */
  list(tx: Tx, filter: RequestFilter, page: PageRequest): Promise<readonly ApprovalRequest[]>;
  /** The task's requests, in the order in which they were opened. */
  ofTask(tx: Tx, taskId: TaskId): Promise<readonly RequestOfTask[]>;
  /** The task's requests that this person approved, newest first. */
  approvedBy(tx: Tx, taskId: TaskId, personId: PersonId): Promise<readonly ApprovalRequest[]>;

  /** Open requests that the person has not reviewed, the riskiest first, then the earliest to expire. */
  waiting(
    tx: Tx,
    personId: PersonId,
    page: { readonly limit: number; readonly after: QueueKey | null },
  ): Promise<readonly ApprovalRequest[]>;
  /** The plans of requests, as lists show them, in one query. Requests about something else are absent. */
  about(tx: Tx, ids: readonly ApprovalRequestId[]): Promise<ReadonlyMap<ApprovalRequestId, PlanAbout>>;
  /** The agent's open request of this content, under any task; null for none (T09). */
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
  /** Replaced reviews, too. */
  reviewHistory(tx: Tx, requestId: ApprovalRequestId): Promise<readonly RecordedReview[]>;
}

export interface RecordedReview extends Review {
  /** The moment of the same person's next review; null for a review that counts. */
  readonly replacedAt: number | null;
}

/** Keeps the people who look at requests, and their first looks. */
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

/** Reminders of requests. */
export interface ReminderRepository {
  plan(tx: Tx, requestId: ApprovalRequestId, reminders: readonly Reminder[]): Promise<void>;
  unsettled(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Reminder[]>;
  settle(
    tx: Tx,
    requestId: ApprovalRequestId,
    which: ReminderKind,
    how: { readonly at: number; readonly sent: boolean },
  ): Promise<void>;
  /** The escalation of this request; null if none is planned. */
  escalation(
    tx: Tx,
    requestId: ApprovalRequestId,
  ): Promise<{ readonly at: number; readonly roles: readonly string[]; readonly told: boolean } | null>;
}

/** Counts how people decide. */
export interface StatisticsRepository {
  /** By how often they were asked. */
  read(tx: Tx, by: StatisticsBy, period: StatisticsPeriod): Promise<readonly ApprovalStatistic[]>;
}

/** How often agents and people ask. */
export interface FloodRepository {
  /** The opening times of their latest requests, newest first. Counts for one transaction at a time. */
  latest(tx: Tx, requester: LimitedRequester, limit: number): Promise<readonly number[]>;
  /** @returns whether it was not throttled already. */
  throttled(
    tx: Tx,
    id: LimitedRequester['id'],
    at: { readonly since: number; readonly until: number },
  ): Promise<boolean>;
}

/** The records on which a use case decides, locked until the transaction ends unless they are only read. */
export interface HeldSubject<
  Subject = ApprovalSubject,
  Request extends ApprovalRequest | null = ApprovalRequest | null,
> {
  readonly subject: Subject;
  readonly request: Request;
  /** The person who looks at the request. */
  readonly claim: Claim | null;
  /** The database's clock after all locks, epoch milliseconds. */
  readonly now: number;
  /** The authors of the reviews that count on the request. */
  readonly reviewedBy: readonly PersonId[];
  /** The reviews that count on the request. @throws {FailureError} `record.not_authentic`. */
  reviews(): Promise<readonly Review[]>;
}

/** The same with a request. */
export type HeldRequest<Subject = ApprovalSubject, Request extends ApprovalRequest = ApprovalRequest> = HeldSubject<
  Subject,
  Request
>;

/** A request as a use case left it, with the rows that the use case read. */
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
   * Locks bundle, autonomy document, tools and executors FOR SHARE. Then locks the subject with the things it belongs
   * to, the outermost first, then this request, in any state. Null for a request that is not there.
   */
  holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null>;
  /** The subject without locks. */
  read(tx: Tx, subject: SubjectKey): Promise<ApprovalSubject | null>;
  /** The same with this request, in any state. */
  readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null>;
}

/** The same of one kind. Null also for a request about another kind, and then nothing is locked but the bundle. */
export interface SubjectsOfKind<Subject, Id> {
  holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<Subject> | null>;
  read(tx: Tx, id: Id): Promise<Subject | null>;
  readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<Subject> | null>;
}

/** The same of plans: locks the task, then the plan. Null also for a plan without an expansion. */
export interface PlanSubjects extends SubjectsOfKind<PlanSubject, PlanId> {
  /** The same of a plan, and its request that is open or approved. Null for a plan that is not there. */
  hold(tx: Tx, id: PlanId): Promise<HeldSubject<PlanSubject, LiveRequest | null> | null>;
}

/** The same of single calls: locks the session if there is one, then the call. */
export interface CallSubjects extends SubjectsOfKind<CallSubject, ToolCallId> {
  /** Calls as lists show them, in one query. */
  about(tx: Tx, ids: readonly ToolCallId[]): Promise<ReadonlyMap<ToolCallId, CallAbout>>;
}

/** The prediction that counts for a plan. */
export interface PlanSimulations {
  /** The latest with a result, stale or not, or else the latest. */
  counting(tx: Tx, planId: PlanId): Promise<SubjectSimulation | null>;
}

/** How people stand, by person. */
export type PeopleNow = ReadonlyMap<PersonId, PersonStanding>;

/** How people stand now. */
export interface People {
  /**
   * In one query; people who are not the tenant's are absent, and so is a caller whose credential has ended. The caller
   * is held until the transaction ends. A later read sees the roles that a change took away while this one waited for
   * it.
   */
  standing(tx: Tx, ids: readonly PersonId[], caller?: Caller): Promise<PeopleNow>;
  /** Delegations to these people that were not taken back, of any dates. */
  delegations(tx: Tx, delegates: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly Delegation[]>>;
  /** The people who hold one of these roles, or the delegates of a holder. `any` is every person with a role. */
  reviewing(tx: Tx, roles: readonly string[], most: number): Promise<readonly PersonId[]>;
  /** Their ways in, and those of their enrollers. */
  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>>;
}

/** The definitions of tools of MCP servers, as they were last seen. */
export interface ToolDefinitions {
  /** @returns a refusal if one of the tools is known to be defined otherwise than a person accepted. Null if none is. */
  execute(tx: Tx, environment: string, tools: Iterable<ToolVersion>): Promise<Failure | null>;
}

/** Lists the people who could review. */
export interface ReviewerCensus {
  /** Every enrolled person who is not disabled, by name, a thousand at most. `factor` tells whether they have a second factor. */
  everybody(tx: Tx): Promise<readonly { readonly personId: PersonId; readonly factor: boolean }[]>;
  agent(tx: Tx, id: AgentId): Promise<AgentOfRequests | null>;
}

/** An agent as the one whose requests people review. */
export interface AgentOfRequests {
  readonly name: string;
  readonly ownerId: PersonId;
  /** The makers of its live tokens. */
  readonly speakers: readonly PersonId[];
  /** False for the agent of an automation, which asks nobody. */
  readonly asks: boolean;
}

/** Absences as they were made. */
export interface AbsenceRepository {
  insert(tx: Tx, absence: Absence): Promise<void>;
  /** Locks it until the transaction ends. */
  lock(tx: Tx, id: string): Promise<Absence | null>;
  end(tx: Tx, id: string, how: { readonly at: number; readonly by: PersonId }): Promise<void>;
  /** Newest first. */
  list(tx: Tx, page: PageRequest): Promise<readonly Absence[]>;
  /** The absences delegated to these people that were not taken back. */
  handedTo(tx: Tx, delegates: readonly PersonId[]): Promise<readonly Absence[]>;
}

/** A request about a plan that was approved, and should start a run. */
export interface RequestApproved {
  readonly request: ApprovedRequest;
  /** The reviews that count. */
  readonly reviews: readonly Review[];
  /** Of the request. Both are locked in this transaction. */
  readonly subject: PlanSubject;
  /** The standing of the reviewers and of the principal, as the caller read it under these locks. */
  readonly people: PeopleNow;
  /** The last approver, or the worker at the time to start. */
  readonly principal: Principal;
  readonly at: number;
}

/**
 * Told in the transaction that approves a request which starts on approval. Told, too, in the transaction in which an
 * approved request's time has come. The run engine creates the run; it asks {@link AuthorizeStart} as for any other
 * start.
 */
export interface RequestApprovedListener {
  /** @returns the reason that no run started; null if a run consumed the request at `event.at`. */
  requestApproved(tx: Tx, event: RequestApproved): Promise<Failure | null>;
}

/** A request about a call that was approved. The request is consumed in the same transaction. */
export interface CallApproved {
  readonly request: ApprovedRequest;
  /** The reviews that count. */
  readonly reviews: readonly Review[];
  /** Of the request. Both are locked in this transaction. */
  readonly subject: CallSubject;
  /** The last approver said that later calls of this shape need no answer. The subject has a shape. */
  readonly always: boolean;
  /** The last approver. */
  readonly principal: Principal;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Told in the transaction in which a request about a call is approved: the call is allowed from now on. */
export interface CallApprovedListener {
  callApproved(tx: Tx, event: CallApproved): Promise<void>;
}

/** A request about a call that closed without an approval. */
export interface CallDenied {
  readonly callId: ToolCallId;
  readonly request: Extract<ApprovalRequest, { readonly closedReason: ClosedReason }>;
  readonly principal: Principal;
}

/**
 * Told in the transaction in which a request about a call is denied, expires or is voided. The call is not made. The
 * call is locked before the request in each of them.
 */
export interface CallDeniedListener {
  callDenied(tx: Tx, event: CallDenied): Promise<void>;
}
