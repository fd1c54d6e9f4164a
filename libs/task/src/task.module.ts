import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import { PostgresAgentRepository } from '#lib/identity';
import type { AuditSink, UnitOfWork } from '#lib/kernel';
import {
  CancelTask,
  CONDITION_GRAMMAR,
  CreateTask,
  GetTask,
  ListTasks,
  TASK_CANCELLED_LISTENERS,
  TASK_REPOSITORY,
  TaskAccess,
  TaskLifecycle,
  TypeormTaskRepository,
  type ConditionGrammar,
  type TaskCancelledListener,
  type TaskRepository,
} from '#lib/task';
import { ENVIRONMENT_REPOSITORY, type EnvironmentRepository } from '#lib/tenancy';

const agents = new PostgresAgentRepository();

const providers: FactoryProvider[] = [
  { provide: TASK_REPOSITORY, useFactory: () => new TypeormTaskRepository() },
  {
    provide: TaskAccess,
    useFactory: () => new TaskAccess({ ownerOf: async (tx, agentId) => (await agents.find(tx, agentId))?.ownerId }),
  },
  {
    provide: TaskLifecycle,
    inject: [TASK_REPOSITORY, AUDIT_SINK],
    useFactory: (tasks: TaskRepository, audit: AuditSink) => new TaskLifecycle(tasks, audit),
  },
  {
    provide: CreateTask,
    inject: [UNIT_OF_WORK, TASK_REPOSITORY, ENVIRONMENT_REPOSITORY, CONDITION_GRAMMAR, AUDIT_SINK],
    useFactory: (
      uow: UnitOfWork,
      tasks: TaskRepository,
      environments: EnvironmentRepository,
      conditions: ConditionGrammar,
      audit: AuditSink,
    ) => new CreateTask(uow, tasks, environments, conditions, audit),
  },
  {
    provide: GetTask,
    inject: [UNIT_OF_WORK, TASK_REPOSITORY],
    useFactory: (uow: UnitOfWork, tasks: TaskRepository) => new GetTask(uow, tasks),
  },
  {
    provide: ListTasks,
    inject: [UNIT_OF_WORK, TASK_REPOSITORY],
    useFactory: (uow: UnitOfWork, tasks: TaskRepository) => new ListTasks(uow, tasks),
  },
  {
    provide: CancelTask,
    inject: [UNIT_OF_WORK, TASK_REPOSITORY, TaskAccess, TaskLifecycle, TASK_CANCELLED_LISTENERS],
    useFactory: (
      uow: UnitOfWork,
      tasks: TaskRepository,
      access: TaskAccess,
      lifecycle: TaskLifecycle,
      listeners: readonly TaskCancelledListener[],
    ) => new CancelTask(uow, tasks, access, lifecycle, listeners),
  },
];

/** Tasks. Needs the modules of tenancy and audit, and CONDITION_GRAMMAR and TASK_CANCELLED_LISTENERS of the plans, all global. */
@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class TaskModule {}
