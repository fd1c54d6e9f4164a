import { err, notFound, ok, type Principal, type Result, type TaskId, type UnitOfWork } from '#lib/kernel';
import type { Task } from '../domain/task.js';
import type { TaskRepository } from './task.ports.js';

/** Reads one task of the caller's tenant. */
export class GetTask {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tasks: TaskRepository,
  ) {}

  async execute(principal: Principal, id: TaskId): Promise<Result<Task>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const task = await this.tasks.find(tx, id);
      return task === null ? err(notFound('task')) : ok(task);
    });
  }
}
