import type { TaskId, TenantId, UnitOfWork } from '#lib/kernel';
import type { PlanHeadline } from '../domain/plan-headline.js';
import type { PlanRepository } from './plan.ports.js';

/** Reads the headline of the latest plan of each task of a list, in one query. */
export class ReadHeadlines {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly plans: Pick<PlanRepository, 'latestHeadlinesOf'>,
  ) {}

  async execute(tenantId: TenantId, ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, PlanHeadline>> {
    if (ids.length === 0) return new Map();
    return this.uow.run(tenantId, (tx) => this.plans.latestHeadlinesOf(tx, ids));
  }
}
