import type { PageRequest, Principal, UnitOfWork } from '#lib/kernel';
import type { TaskState } from '#lib/contracts';
import type { Task } from '../domain/task.js';
import type { EnvironmentReader, TaskFilter, TaskRepository } from './task.ports.js';

/** What a list of tasks is asked for; a member left out does not filter. */
export interface TaskQuery {
  readonly state?: TaskState;
  /** An environment's name; one that is not there has no tasks. */
  readonly environment?: string;
}

/** Reads the caller's tenant's tasks, newest first. */
export class ListTasks {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tasks: TaskRepository,
    private readonly environments: EnvironmentReader,
  ) {}

  async execute(principal: Principal, query: TaskQuery, page: PageRequest): Promise<readonly Task[]> {
    return this.unitOfWork.run(principal.tenantId, async (tx) => {
      const filter: TaskFilter = query.state === undefined ? {} : { state: query.state };
      if (query.environment === undefined) return this.tasks.list(tx, filter, page);
      const environment = await this.environments.byName(tx, query.environment);
      return environment === undefined ? [] : this.tasks.list(tx, { ...filter, environmentId: environment.id }, page);
    });
  }
}
