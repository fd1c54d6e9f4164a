import type { CanaryHistory } from '#lib/approval';
import type { PlanId, Tx } from '#lib/kernel';
import type { RunRepository } from './run.repository.js';

/** Tells the approval stage whether the remaining phases of a plan are its promotion. */
export class RunCanaryHistory implements CanaryHistory {
  constructor(private readonly runs: Pick<RunRepository, 'canaryCompleted'>) {}

  canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean> {
    return this.runs.canaryCompleted(tx, planId);
  }
}
