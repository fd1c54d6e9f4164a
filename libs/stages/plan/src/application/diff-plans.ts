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
import { diffPlans, type PlanDiff } from '../domain/diff-plans.js';
import type { Plan } from '../domain/plan.js';
import type { PlanRepository } from './plan.ports.js';

/** Two revisions and their differences. */
export interface ComparedPlans {
  readonly before: Plan;
  readonly after: Plan;
  readonly diff: PlanDiff;
}

/** Compares two revisions of one task, so that reviewers see the changes since they last looked. */
export class DiffPlans {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly plans: PlanRepository,
  ) {}

  /**
   * The changes that `id` makes to `against`; `plan.other_task` if they are of different tasks. Against `last_executed` it
   * is compared with the last executed plan of its environment and type of task, also of another task;
   * `plan.none_executed` if there is none.
   */
  async execute(principal: Principal, id: PlanId, against: PlanId | 'last_executed'): Promise<Result<ComparedPlans>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const after = await this.plans.find(tx, id);
      if (after === null) return err(notFound('plan'));
      const before =
        against === 'last_executed' ? await this.plans.lastExecutedLike(tx, id) : await this.plans.find(tx, against);
      if (before === null) return err(against === 'last_executed' ? noneExecuted : notFound('plan'));
      if (against !== 'last_executed' && after.taskId !== before.taskId) return err(otherTask);
      const diff = diffPlans(
        { document: before.document, expanded: before.expansion?.plan ?? null },
        { document: after.document, expanded: after.expansion?.plan ?? null },
      );
      return ok({ before, after, diff });
    });
  }
}

const noneExecuted: Failure = {
  kind: 'conflict',
  code: 'plan.none_executed',
  message: 'No plan of this kind was executed in this environment yet.',
  action: 'Compare it with a revision of its own task.',
};

const otherTask: Failure = {
  kind: 'unprocessable',
  code: 'plan.other_task',
  message: 'The two plans are of different tasks.',
  action: 'Compare two revisions of one task.',
  errors: [{ pointer: '/against', code: 'plan.other_task', message: 'is a plan of another task' }],
};
