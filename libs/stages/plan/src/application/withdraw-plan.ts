import {
  err,
  type Failure,
  notFound,
  ok,
  type PlanId,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { TaskAccess, TaskRepository } from '#lib/task';
import type { PlanState } from '#lib/formats';
import { stateInWords } from '#lib/words';
import { isLive } from '../domain/plan.js';
import type { ExplainedPlan, ExplainPlan } from './explain-plan.js';
import type { PlanRetirement } from './plan-retirement.js';
import type { PlanRepository } from './plan.ports.js';

/** Takes a plan back before it is executed. */
export class WithdrawPlan {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tasks: TaskRepository,
    private readonly access: TaskAccess,
    private readonly plans: PlanRepository,
    private readonly retirement: PlanRetirement,
    private readonly explaining: ExplainPlan,
  ) {}

  /**
   * The withdrawn plan; its open or approved request is voided with it. `plan.executing` while its run is under way,
   * `plan.executed` once its task has ended, `task.not_yours`, or `plan.illegal_transition` for one that is not live.
   */
  async execute(principal: Principal, id: PlanId): Promise<Result<ExplainedPlan>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const found = await this.plans.find(tx, id);
      const task = found === null ? null : await this.tasks.lock(tx, found.taskId);
      const plan = task === null ? null : await this.plans.lock(tx, id);
      if (task === null || plan === null) return err(notFound('plan'));
      const allowed = await this.access.mayChange(tx, principal, task);
      if (!allowed.ok) return allowed;
      if (!isLive(plan)) return err(notLive(plan.state));
      if (task.state === 'executing') return err(executing);
      if (task.state !== 'planned') return err(executed(task.state));
      const at = await tx.now();
      const left = await this.retirement.retire(tx, plan, { cause: 'withdrawn', supersededBy: null, principal, at });
      return ok(await this.explaining.of(tx, { plan: left, status: 'withdrawn' }));
    });
  }
}

const notLive = (state: PlanState): Failure => ({
  kind: 'conflict',
  code: 'plan.illegal_transition',
  message: `A plan that is ${stateInWords(state)} cannot be withdrawn.`,
  action: 'Read the plan again and decide from the state it is in now.',
  details: { state, event: 'withdraw' },
});

const executing: Failure = {
  kind: 'conflict',
  code: 'plan.executing',
  message: 'A run of this plan is under way.',
  action: 'Cancel the run instead.',
};

const executed = (taskState: string): Failure => ({
  kind: 'conflict',
  code: 'plan.executed',
  message: `The plan's task is ${taskState}.`,
  action: 'Nothing is left to withdraw; create a new task for what remains.',
});
