import type { Agent } from '#lib/identity';
import type { AgentId, AuditSink, Tx, UnitOfWork } from '#lib/kernel';
import { SqlTaskRepository } from './adapters/sql-task.repository.js';
import { CancelTask } from './application/cancel-task.js';
import { CreateTask } from './application/create-task.js';
import { GetTask } from './application/get-task.js';
import { ListTasks } from './application/list-tasks.js';
import { TaskAccess } from './application/task-access.js';
import { TaskLifecycle } from './application/task-lifecycle.js';
import type {
  ConditionGrammar,
  EnvironmentReader,
  TaskCancelledListener,
  TaskRepository,
} from './application/task.ports.js';

/** The stored tasks, over PostgreSQL. */
export const createTaskStore = (): TaskRepository => new SqlTaskRepository();

export interface TaskDeps {
  readonly uow: UnitOfWork;
  readonly tasks: TaskRepository;
  readonly audit: AuditSink;
  readonly agents: { find(tx: Tx, id: AgentId): Promise<Pick<Agent, 'ownerId'> | null> };
  readonly environments: EnvironmentReader;
  readonly conditions: ConditionGrammar;
  readonly cancelled: readonly TaskCancelledListener[];
}

/** Tasks. */
export type Tasks = ReturnType<typeof createTasks>;

export function createTasks({ uow, tasks, audit, agents, environments, conditions, cancelled }: TaskDeps) {
  const access = new TaskAccess({ ownerOf: async (tx, agentId) => (await agents.find(tx, agentId))?.ownerId ?? null });
  const lifecycle = new TaskLifecycle(tasks, audit);
  return {
    tasks,
    access,
    lifecycle,
    createTask: new CreateTask(uow, tasks, environments, conditions, audit),
    getTask: new GetTask(uow, tasks),
    listTasks: new ListTasks(uow, tasks),
    cancelTask: new CancelTask(uow, tasks, access, lifecycle, cancelled),
  };
}
