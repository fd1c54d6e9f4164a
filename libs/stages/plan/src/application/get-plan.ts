import { err, notFound, ok, type PlanId, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { ExplainedPlan, ExplainPlan } from './explain-plan.js';
import type { PlanRepository } from './plan.ports.js';

/** Reads one plan of the caller's tenant. */
export class GetPlan {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly plans: PlanRepository,
    private readonly explaining: ExplainPlan,
  ) {}

  async execute(principal: Principal, id: PlanId): Promise<Result<ExplainedPlan>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const found = await this.plans.withStatus(tx, id);
      return found === null ? err(notFound('plan')) : ok(await this.explaining.of(tx, found));
    });
  }
}
