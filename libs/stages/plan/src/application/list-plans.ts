import { err, notFound, ok, type PageRequest, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { TaskRepository } from '#lib/task';
import type { ListedPlan } from '../domain/plan.js';
import type { PlanFilter, PlanRepository } from './plan.ports.js';

/** Reads the caller's tenant's plans, newest first; of one task if the filter names it. */
export class ListPlans {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tasks: TaskRepository,
    private readonly plans: PlanRepository,
  ) {}

  async execute(principal: Principal, filter: PlanFilter, page: PageRequest): Promise<Result<readonly ListedPlan[]>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      if (filter.taskId !== undefined && (await this.tasks.find(tx, filter.taskId)) === null)
        return err(notFound('task'));
      return ok(await this.plans.list(tx, filter, page));
    });
  }
}
