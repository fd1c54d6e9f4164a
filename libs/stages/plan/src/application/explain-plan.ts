import type { Tx } from '#lib/kernel';
import type { DecisionLog, RecordedDecision } from '#lib/policy';
import type { PlanDescription } from '../domain/plan-description.js';
import type { PlanWithStatus } from '../domain/plan.js';
import type { ReadDescription } from './read-description.js';

/** A plan with its shown status, and why: the decision of its validation with its reasons and autonomy line. */
export interface ExplainedPlan extends PlanWithStatus {
  readonly decision: RecordedDecision | null;
  /** The plan in words; null if it could not be expanded. */
  readonly description: PlanDescription | null;
}

/** Adds the decision and the description of a plan. */
export class ExplainPlan {
  constructor(
    private readonly decisions: Pick<DecisionLog, 'find'>,
    private readonly descriptions: Pick<ReadDescription, 'of'>,
  ) {}

  async of(tx: Tx, shown: PlanWithStatus): Promise<ExplainedPlan> {
    const { decisionId } = shown.plan;
    return {
      ...shown,
      decision: decisionId === null ? null : await this.decisions.find(tx, decisionId),
      description: await this.descriptions.of(tx, shown.plan),
    };
  }
}
