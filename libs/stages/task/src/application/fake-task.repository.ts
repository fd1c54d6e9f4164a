import type { TaskState } from '#lib/formats';
import type { PageRequest, TaskId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { TASK_TRANSITIONS } from '../domain/task-transitions.js';
import type { Task } from '../domain/task.js';
import type { TaskFilter, TaskRepository } from './task.ports.js';
import type { WorkFilter } from './work-filter.js';

/** The filters of a fake list: the rest is in rows of other libraries, and in PostgreSQL alone. */
const FILTERS: ReadonlySet<string> = new Set<keyof WorkFilter>(['agentId', 'personId', 'from', 'until']);

/** Whether a filter lets something through that was submitted so, at that time. Reviews of a person are not looked at. */
export function passes(filter: WorkFilter, { submitter }: Pick<Task, 'submitter'>, at: number): boolean {
  const unknown = Object.keys(filter).find((name) => !FILTERS.has(name));
  if (unknown !== undefined) throw new Error(`a fake list cannot be filtered by ${unknown}`);
  return (
    (filter.agentId === undefined || submitter.id === filter.agentId) &&
    (filter.personId === undefined || submitter.id === filter.personId || submitter.onBehalfOf === filter.personId) &&
    (filter.from === undefined || at >= filter.from) &&
    (filter.until === undefined || at < filter.until)
  );
}

/** Keeps tasks in memory. */
export class FakeTaskRepository implements TaskRepository {
  readonly #tasks: FakeTable<Task>;

  constructor(database: FakeUnitOfWork) {
    this.#tasks = new FakeTable(database);
  }

  async insert(tx: Tx, task: Task): Promise<void> {
    requireTransition(TASK_TRANSITIONS, '', task.state);
    if (await this.find(tx, task.id)) throw new FakeRefusal('23505', 'task_pk');
    this.#tasks.of(tx).set(task.id, task);
  }

  find(tx: Tx, id: TaskId): Promise<Task | null> {
    return Promise.resolve(this.#tasks.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: TaskId): Promise<Task | null> {
    return this.find(tx, id);
  }

  list(tx: Tx, { state, ...filter }: TaskFilter, page: PageRequest): Promise<readonly Task[]> {
    const wanted = [...this.#tasks.of(tx).values()].filter(
      (task) => (state === undefined || task.state === state) && passes(filter, task, task.createdAt),
    );
    return Promise.resolve(fakePage(wanted, ({ createdAt }) => createdAt, page));
  }

  async setState(tx: Tx, id: TaskId, state: TaskState, at: number): Promise<void> {
    const task = await this.find(tx, id);
    if (task === null) return;
    requireTransition(TASK_TRANSITIONS, task.state, state);
    this.#tasks.of(tx).set(id, { ...task, state, updatedAt: at });
  }
}
