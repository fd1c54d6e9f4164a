import type { PlanId, TaskId, TenantId, UnitOfWork } from '#lib/kernel';
import type { PlanHeadline } from '../domain/plan-headline.js';
import type { PlanRepository } from './plan.ports.js';

/** Reads the headlines of plans for lists of other things, in one query a list. */
export class ReadHeadlines {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly plans: Pick<PlanRepository, 'headlinesOf' | 'latestHeadlinesOf'>,
  ) {}

  async ofPlans(tenantId: TenantId, ids: readonly PlanId[]): Promise<ReadonlyMap<PlanId, PlanHeadline>> {
    if (ids.length === 0) return new Map();
    return this.uow.run(tenantId, (tx) => this.plans.headlinesOf(tx, [...new Set(ids)]));
  }

  /** Of each task's latest plan. */
  async ofTasks(tenantId: TenantId, ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, PlanHeadline>> {
    if (ids.length === 0) return new Map();
    return this.uow.run(tenantId, (tx) => this.plans.latestHeadlinesOf(tx, ids));
  }
}
