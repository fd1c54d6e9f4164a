import { err, notFound, ok, type PlanId, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { DecisionLog, RecordedDecision } from '#lib/policy';
import type { PlanDescription } from '../domain/plan-description.js';
import type { PlanWithStatus } from '../domain/plan.js';
import type { ReadDescription } from './read-description.js';
import type { PlanRepository } from './plan.ports.js';

/** A plan with its shown status, and why: the decision of its validation with its reasons and autonomy line. */
export interface ExplainedPlan extends PlanWithStatus {
  readonly decision: RecordedDecision | null;
  /** The plan in words; null if it could not be expanded. */
  readonly description: PlanDescription | null;
}

/** Reads one plan of the caller's tenant. */
export class GetPlan {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly plans: PlanRepository,
    private readonly decisions: DecisionLog,
    private readonly descriptions: ReadDescription,
  ) {}

  async execute(principal: Principal, id: PlanId): Promise<Result<ExplainedPlan>> {
    return this.unitOfWork.run(principal.tenantId, async (tx) => {
      const found = await this.plans.withStatus(tx, id);
      if (found === undefined) return err(notFound('plan'));
      const { decisionId } = found.plan;
      return ok({
        ...found,
        decision: decisionId === null ? null : await this.decisions.find(tx, decisionId),
        description: await this.descriptions.of(tx, found.plan),
      });
    });
  }
}
