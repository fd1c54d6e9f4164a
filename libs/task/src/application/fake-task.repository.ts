import type { EnvironmentId, PageRequest, TaskId, Tx } from '#lib/kernel';
import type { TaskState } from '#lib/contracts';
import type { Task } from '../domain/task.js';
import type { TaskFilter, TaskRepository } from './task.ports.js';

/** Tasks in memory, for tests of use cases. */
export class FakeTaskRepository implements TaskRepository {
  readonly #rows = new Map<string, Task>();

  insert(tx: Tx, task: Task): Promise<void> {
    this.#rows.set(this.#key(tx, task.id), task);
    return Promise.resolve();
  }

  find(tx: Tx, id: TaskId): Promise<Task | undefined> {
    return Promise.resolve(this.#rows.get(this.#key(tx, id)));
  }

  lock(tx: Tx, id: TaskId): Promise<Task | undefined> {
    return this.find(tx, id);
  }

  list(tx: Tx, filter: TaskFilter, page: PageRequest): Promise<readonly Task[]> {
    const matches = (state: TaskState, environmentId: EnvironmentId): boolean =>
      (filter.state === undefined || filter.state === state) &&
      (filter.environmentId === undefined || filter.environmentId === environmentId);
    const after = page.after;
    const tasks = [...this.#rows.entries()]
      .filter(([key, task]) => key.startsWith(`${tx.tenantId}/`) && matches(task.state, task.environmentId))
      .map(([, task]) => task)
      .filter((task) => after === null || task.createdAt < after.at || (task.createdAt === after.at && task.id < after.id))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    return Promise.resolve(tasks.slice(0, page.limit));
  }

  setState(tx: Tx, id: TaskId, state: TaskState, at: number): Promise<void> {
    const task = this.#rows.get(this.#key(tx, id));
    if (task !== undefined) this.#rows.set(this.#key(tx, id), { ...task, state, updatedAt: at });
    return Promise.resolve();
  }

  #key(tx: Tx, id: string): string {
    return `${tx.tenantId}/${id}`;
  }
}
