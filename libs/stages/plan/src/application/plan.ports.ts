import type { PlanStatus } from '#lib/formats';
import type { PageRequest, PlanId, Principal, TaskId, ToolVersionId, Tx } from '#lib/kernel';
import type { WorkFilter } from '#lib/task';
import type { PlanHeadline } from '../domain/plan-headline.js';
import type { ListedPlan, LiveRevision, Plan, PlanWithStatus } from '../domain/plan.js';

/** Which plans a list holds; a member left out does not filter. */
export interface PlanFilter extends WorkFilter {
  readonly taskId?: TaskId;
  readonly status?: PlanStatus;
}

/** The holdings of a plan: the tool versions it names and the targets it changes. */
export interface PlanHoldings {
  readonly tools: readonly { readonly id: ToolVersionId; readonly name: string }[];
  readonly targets: readonly string[];
}

/** Plan revisions of the transaction's tenant. Locks are taken after the task's. */
export interface PlanRepository {
  /** Inserts the revision as a draft and moves it to its state, through the lifecycle. */
  insert(tx: Tx, plan: Plan, holdings: PlanHoldings): Promise<void>;
  find(tx: Tx, id: PlanId): Promise<Plan | null>;
  lock(tx: Tx, id: PlanId): Promise<Plan | null>;
  /** The task's one validated revision. */
  lockLive(tx: Tx, taskId: TaskId): Promise<LiveRevision | null>;
  /** The tool versions that a revision names. */
  heldTools(tx: Tx, id: PlanId): Promise<readonly ToolVersionId[]>;
  /** The headline of each task's latest revision that has one, in one query. */
  latestHeadlinesOf(tx: Tx, taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, PlanHeadline>>;
  setState(tx: Tx, id: PlanId, state: Plan['state'], at: number): Promise<void>;
  /** With its shown status: the view `plan_status`, by the database's clock. */
  withStatus(tx: Tx, id: PlanId): Promise<PlanWithStatus | null>;
  /** Of other plans in this one's environment, for tasks of the same type, the one that last completed a run. */
  lastExecutedLike(tx: Tx, id: PlanId): Promise<Plan | null>;
  list(tx: Tx, filter: PlanFilter, page: PageRequest): Promise<readonly ListedPlan[]>;
}

/** A plan that is not to be executed any more. */
export interface PlanSuperseded {
  readonly planId: PlanId;
  readonly taskId: TaskId;
  readonly cause: 'superseded' | 'withdrawn' | 'task_cancelled';
  /** The revision that took its place; null for the other causes. */
  readonly supersededBy: PlanId | null;
  readonly principal: Principal;
  readonly at: number;
}

/**
 * Told within the transaction in which a plan stops being live, with task and plan locked. Its open and approved
 * requests are voided there and then.
 */
export interface PlanSupersededListener {
  planSuperseded(tx: Tx, event: PlanSuperseded): Promise<void>;
}
