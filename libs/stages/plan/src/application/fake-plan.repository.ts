import type { PlanStatus } from '#lib/formats';
import type { PageRequest, PlanId, TaskId, ToolVersionId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { passes } from '../../../task/src/application/fake-task.repository.js';
import type { PlanHeadline } from '../domain/plan-headline.js';
import { PLAN_TRANSITIONS } from '../domain/plan-transitions.js';
import {
  isLive,
  type ListedPlan,
  type LiveRevision,
  type Plan,
  type PlanSummary,
  type PlanWithStatus,
} from '../domain/plan.js';
import type { PlanFilter, PlanHoldings, PlanRepository } from './plan.ports.js';

interface Kept {
  readonly plan: Plan;
  readonly holdings: PlanHoldings;
}

/** Keeps plan revisions in memory. The test sets the outcome of later stages. */
export class FakePlanRepository implements PlanRepository {
  readonly #plans: FakeTable<Kept>;
  /** The shown status of plans that are validated, if it is a later one. */
  readonly statuses = new Map<PlanId, PlanStatus>();
  /** The plan that was executed last, of those like this one. */
  readonly executedLike = new Map<PlanId, PlanId>();

  constructor(database: FakeUnitOfWork) {
    this.#plans = new FakeTable(database);
  }

  insert(tx: Tx, plan: Plan, holdings: PlanHoldings): Promise<void> {
    if (plan.state !== 'draft') requireTransition(PLAN_TRANSITIONS, 'draft', plan.state);
    if ((plan.expansion === null) !== (plan.headline === null)) throw new FakeRefusal('23514', 'plan_headline_check');
    if (this.#plans.of(tx).has(plan.id)) throw new FakeRefusal('23505', 'plan_pk');
    if (this.#of(tx, plan.taskId).some(({ revision }) => revision === plan.revision))
      throw new FakeRefusal('23505', 'plan_revision_unique');
    this.#keep(tx, { plan, holdings });
    return Promise.resolve();
  }

  find(tx: Tx, id: PlanId): Promise<Plan | null> {
    return Promise.resolve(this.#plans.of(tx).get(id)?.plan ?? null);
  }

  lock(tx: Tx, id: PlanId): Promise<Plan | null> {
    return this.find(tx, id);
  }

  lockLive(tx: Tx, taskId: TaskId): Promise<LiveRevision | null> {
    const live = this.#of(tx, taskId).find(isLive);
    return Promise.resolve(live === undefined ? null : liveRevision(live));
  }

  /** The submitters of every revision of the task. */
  submittersOf(
    tx: Tx,
    taskId: TaskId,
  ): Promise<readonly { readonly planId: PlanId; readonly submitter: Plan['submitter'] }[]> {
    return Promise.resolve(this.#of(tx, taskId).map(({ id, submitter }) => ({ planId: id, submitter })));
  }

  heldTools(tx: Tx, id: PlanId): Promise<readonly ToolVersionId[]> {
    const tools = this.#plans.of(tx).get(id)?.holdings.tools ?? [];
    return Promise.resolve(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => tool.id));
  }

  latestHeadlinesOf(tx: Tx, taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, PlanHeadline>> {
    return Promise.resolve(
      new Map(
        taskIds.flatMap((taskId) =>
          this.#of(tx, taskId).flatMap(({ headline }) => (headline === null ? [] : [[taskId, headline]])),
        ),
      ),
    );
  }

  setState(tx: Tx, id: PlanId, state: Plan['state'], at: number): Promise<void> {
    const kept = this.#plans.of(tx).get(id);
    if (kept === undefined) return Promise.resolve();
    requireTransition(PLAN_TRANSITIONS, kept.plan.state, state);
    this.#keep(tx, { ...kept, plan: { ...kept.plan, state, updatedAt: at } });
    return Promise.resolve();
  }

  async withStatus(tx: Tx, id: PlanId): Promise<PlanWithStatus | null> {
    const plan = await this.find(tx, id);
    return plan && { plan, status: this.#statusOf(plan) };
  }

  lastExecutedLike(tx: Tx, id: PlanId): Promise<Plan | null> {
    const executed = this.executedLike.get(id);
    return executed === undefined ? Promise.resolve(null) : this.find(tx, executed);
  }

  list(tx: Tx, { taskId, status, ...filter }: PlanFilter, page: PageRequest): Promise<readonly ListedPlan[]> {
    const wanted = this.#all(tx).filter(
      (plan) =>
        (taskId === undefined || plan.taskId === taskId) &&
        (status === undefined || this.#statusOf(plan) === status) &&
        passes(filter, plan, plan.createdAt),
    );
    const found = fakePage(wanted, ({ createdAt }) => createdAt, page);
    return Promise.resolve(found.map((plan) => ({ plan: summaryOf(plan), status: this.#statusOf(plan) })));
  }

  #keep(tx: Tx, kept: Kept): void {
    const { id, taskId, state, expansion } = kept.plan;
    if (expansion === null && state !== 'draft' && state !== 'invalid')
      throw new FakeRefusal('23514', 'plan_valid_check');
    if (state === 'validated' && this.#of(tx, taskId).some((other) => other.state === state && other.id !== id))
      throw new FakeRefusal('23505', 'plan_live_unique');
    this.#plans.of(tx).set(id, kept);
  }

  #statusOf = ({ id, state }: Plan): PlanStatus => (state === 'validated' ? this.statuses.get(id) : undefined) ?? state;

  #all(tx: Tx): readonly Plan[] {
    return [...this.#plans.of(tx).values()].map(({ plan }) => plan);
  }

  /** The task's revisions, in their order. */
  #of(tx: Tx, taskId: TaskId): readonly Plan[] {
    return this.#all(tx)
      .filter((plan) => plan.taskId === taskId)
      .sort((a, b) => a.revision - b.revision);
  }
}

const liveRevision = ({ id, taskId, revision, state, expansion }: LiveRevision): LiveRevision => ({
  ...{ id, taskId, revision, state },
  expansion: { digest: expansion.digest },
});

const summaryOf = ({ document: _d, errors: _e, decisionId: _i, expansion, ...plan }: Plan): PlanSummary => ({
  ...plan,
  expansion: expansion && { digest: expansion.digest },
});
