import type { ApprovalState } from '#lib/contracts';
import type {
  AgentId,
  ApprovalRequestId,
  Digest,
  PageRequest,
  PersonId,
  PlanId,
  Principal,
  TaskId,
  TenantId,
  Tx,
} from '#lib/kernel';
import type { ApprovalRequest, GrantedRequest, Review } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import type { Claim } from '../domain/claim.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import type { Reminder, ReminderKind } from '../domain/reminders.js';
import type { QueuedAbout, QueueKey } from './read-queue.js';
import type { ApprovalFigures, StatisticsBy, StatisticsPeriod } from './read-statistics.js';

/** Which requests a list holds; a member left out does not filter. */
export interface RequestFilter {
  readonly state?: ApprovalState;
  readonly planId?: PlanId;
  readonly taskId?: TaskId;
}

/** Approval requests and their reviews, of the transaction's tenant. */
export interface ApprovalRepository {
  insert(tx: Tx, request: ApprovalRequest): Promise<void>;
  find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null>;
  /** The same, and nobody else changes it until this transaction ends. After task and plan. */
  lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null>;
  /** The plan's one request that is open or granted, locked. */
  lockLive(tx: Tx, planId: PlanId): Promise<ApprovalRequest | null>;
  /** State, grant and closing; everything else never changes. */
  save(tx: Tx, request: ApprovalRequest): Promise<void>;
  /** Newest first. */
  list(tx: Tx, filter: RequestFilter, page: PageRequest): Promise<readonly ApprovalRequest[]>;
  /** The task's requests that this person approved, newest first. */
  approvedBy(tx: Tx, taskId: TaskId, personId: PersonId): Promise<readonly ApprovalRequest[]>;

  /** Open requests that the person has not reviewed, the riskiest first, and of those the one that ends first. */
  waiting(
    tx: Tx,
    personId: PersonId,
    page: { readonly limit: number; readonly after: QueueKey | null },
  ): Promise<readonly ApprovalRequest[]>;
  /** What tasks are about, in one query. */
  about(tx: Tx, taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, QueuedAbout>>;
  /** The agent's open request of this content, under whichever task; null where there is none (T09). */
  identical(tx: Tx, agentId: AgentId, content: Digest): Promise<ApprovalRequest | null>;

  insertReview(tx: Tx, requestId: ApprovalRequestId, review: Review): Promise<void>;
  replaceReview(tx: Tx, review: Review, at: number): Promise<void>;
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

/** Reads everything that an approval is about. */
export interface ApprovalSubjects {
  /**
   * Under the locks of a use case that decides: autonomy, bundle, tools and executors FOR SHARE, then the task, then the
   * plan. Null for a plan that is not there, or that has no expansion.
   */
  lock(tx: Tx, planId: PlanId): Promise<ApprovalSubject | null>;
  /** The same without locking task and plan, for a step of a run that holds its own. */
  read(tx: Tx, planId: PlanId): Promise<ApprovalSubject | null>;
}

/** How people stand now. */
export interface People {
  /** In one query; people who are not the tenant's are absent. */
  standing(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, PersonStanding>>;
}

/** A request that was just granted, and should lead to a run. */
export interface ApprovalGranted {
  readonly request: GrantedRequest;
  /** Who gave the last approval, or the worker where the time to start has come. */
  readonly principal: Principal;
  readonly at: number;
}

/**
 * Told in the transaction in which a request is granted that starts on approval, or in which a granted request's time
 * has come. The run engine creates the run; it asks {@link AuthorizeStart} as for any other start.
 */
export interface ApprovalGrantedListener {
  approvalGranted(tx: Tx, event: ApprovalGranted): Promise<void>;
}

/** Whether the canary phases of a plan have been run, so that what is left is the rest; implemented by the run engine. */
export interface CanaryHistory {
  canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean>;
}

/** A row that may be due, found across tenants; the work is done inside its tenant. */
export interface DueRow {
  readonly tenantId: TenantId;
  readonly id: ApprovalRequestId;
}

/** Finds work across tenants by SECURITY DEFINER functions that return ids only. */
export interface DueApprovals {
  /** Open or granted requests whose time is over. */
  expired(limit: number): Promise<readonly DueRow[]>;
  /** Granted requests that start at a time that has come. */
  startable(limit: number): Promise<readonly DueRow[]>;
  /** Requests of which people are to be told that they are still open. */
  remindable(limit: number): Promise<readonly DueRow[]>;
}
