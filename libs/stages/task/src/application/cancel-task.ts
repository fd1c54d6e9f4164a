import {
  err,
  type Failure,
  notFound,
  ok,
  type Principal,
  type Result,
  type TaskId,
  type UnitOfWork,
} from '#lib/kernel';
import type { TaskState } from '#lib/formats';
import { stateInWords } from '#lib/words';
import type { Task } from '../domain/task.js';
import type { TaskAccess } from './task-access.js';
import type { TaskLifecycle } from './task-lifecycle.js';
import type { TaskCancelledListener, TaskRepository } from './task.ports.js';

/** Gives a task up before anything of it is executed. */
export class CancelTask {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tasks: TaskRepository,
    private readonly access: TaskAccess,
    private readonly lifecycle: TaskLifecycle,
    private readonly listeners: readonly TaskCancelledListener[],
  ) {}

  /**
   * The cancelled task; its live plan is withdrawn and that plan's approval voided with it. `task.executing` while a run
   * is under way, `task.not_yours`, or `task.illegal_transition` for one that has ended.
   */
  async execute(principal: Principal, id: TaskId): Promise<Result<Task>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const task = await this.tasks.lock(tx, id);
      if (task === null) return err(notFound('task'));
      const allowed = await this.access.mayChange(tx, principal, task);
      if (!allowed.ok) return allowed;
      if (task.state === 'executing') return err(executing);
      if (task.state !== 'created' && task.state !== 'planned') return err(ended(task.state));
      const now = await tx.now();
      const cancelled = await this.lifecycle.transition(tx, task, 'cancel', { principal, at: now });
      for (const listener of this.listeners) {
        await listener.taskCancelled(tx, { task: cancelled, principal, at: now });
      }
      return ok(cancelled);
    });
  }
}

const executing: Failure = {
  kind: 'conflict',
  code: 'task.executing',
  message: 'A run of this task is under way.',
  action: 'Cancel the run or roll it back, and cancel the task once it has ended.',
};

const ended = (state: TaskState): Failure => ({
  kind: 'conflict',
  code: 'task.illegal_transition',
  message: `A task that ${state === 'failed' ? 'has' : 'is'} ${stateInWords(state)} cannot be cancelled.`,
  action: 'Read the task again and decide from the state it is in now.',
  details: { state, event: 'cancel' },
});
