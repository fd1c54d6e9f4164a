import type { PageRequest, Principal, UnitOfWork } from '#lib/kernel';
import type { Task } from '../domain/task.js';
import type { TaskFilter, TaskRepository } from './task.ports.js';

/** Reads the caller's tenant's tasks, newest first. */
export class ListTasks {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tasks: TaskRepository,
  ) {}

  execute(principal: Principal, filter: TaskFilter, page: PageRequest): Promise<readonly Task[]> {
    return this.uow.run(principal.tenantId, (tx) => this.tasks.list(tx, filter, page));
  }
}
