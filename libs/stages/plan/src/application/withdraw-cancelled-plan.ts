import type { Tx } from '#lib/kernel';
import type { TaskCancelled, TaskCancelledListener } from '#lib/task';
import type { PlanRetirement } from './plan-retirement.js';
import type { PlanRepository } from './plan.ports.js';

/** Withdraws the live plan of a task that is cancelled, in the transaction that cancels it. */
export class WithdrawCancelledPlan implements TaskCancelledListener {
  constructor(
    private readonly plans: PlanRepository,
    private readonly retirement: PlanRetirement,
  ) {}

  async taskCancelled(tx: Tx, { task, principal, at }: TaskCancelled): Promise<void> {
    const live = await this.plans.lockLive(tx, task.id);
    if (live === null) return;
    await this.retirement.retire(tx, live, { cause: 'task_cancelled', supersededBy: null, principal, at });
  }
}
