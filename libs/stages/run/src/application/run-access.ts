import { err, notFound, ok, type PlanId, type Principal, type Result, type Tx } from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import type { TaskAccess, TaskRepository } from '#lib/task';
import type { Run } from '../domain/run.js';

/**
 * Checks access to runs. A person needs a credential with the scope `run`; policy decides on the start. An agent may start and
 * stop only runs of its own task.
 */
export class RunAccess {
  constructor(
    private readonly plans: Pick<PlanRepository, 'find'>,
    private readonly tasks: Pick<TaskRepository, 'find'>,
    private readonly access: TaskAccess,
  ) {}

  /** `resource.not_found`, or `task.not_yours`. */
  async mayStart(tx: Tx, principal: Principal, planId: PlanId): Promise<Result<void>> {
    const plan = await this.plans.find(tx, planId);
    return plan === null ? err(notFound('plan')) : this.#mayTouch(tx, principal, plan.taskId);
  }

  /** `task.not_yours`. */
  mayControl(tx: Tx, principal: Principal, run: Run): Promise<Result<void>> {
    return this.#mayTouch(tx, principal, run.taskId);
  }

  async #mayTouch(tx: Tx, principal: Principal, taskId: Run['taskId']): Promise<Result<void>> {
    if (principal.kind !== 'agent') return ok(undefined);
    const task = await this.tasks.find(tx, taskId);
    return task === null ? err(notFound('task')) : this.access.mayChange(tx, principal, task);
  }
}
