/**
 * Tasks: the wish of a person or agent in one environment, and its progress. The first stage of the main job.
 *
 * Invariants: a task's spec never changes, and its digest is bound by every approval; `on_behalf_of` comes from the
 * credential that the person issued; the state moves only along the lifecycle, which the database enforces again.
 *
 * Knows no plan, request or run. Those stages move a task they have locked through `TaskLifecycle`, and hear of its
 * cancellation through `TaskCancelledListener`. Never decides whether anything may be executed.
 */
export { taskOf } from './adapters/sql-task.repository.js';
export { taskEntity } from './adapters/task.entity.js';
export { SUBMITTER, storedSubmitter, submitterIn } from './adapters/submitter-columns.js';
export {
  askedBy,
  plansOfAgent,
  plansOfPerson,
  SqlWorkConditions,
  type WorkRow,
} from './adapters/sql-work-conditions.js';
export { CancelTask } from './application/cancel-task.js';
export { CreateTask } from './application/create-task.js';
export { GetTask } from './application/get-task.js';
export { ListTasks } from './application/list-tasks.js';
export { TaskAccess } from './application/task-access.js';
export { TaskLifecycle } from './application/task-lifecycle.js';
export type {
  ConditionGrammar,
  EnvironmentReader,
  TaskCancelled,
  TaskCancelledListener,
  TaskRepository,
} from './application/task.ports.js';
export type { WorkFilter } from './application/work-filter.js';
export { environmentDigest, type EnvironmentRecord } from './domain/environment-record.js';
export { mayChangeTask, submitterOf, type Submitter, type Task } from './domain/task.js';
export { TASK_TRANSITIONS, type EventIn } from './domain/task-transitions.js';
export { createTasks, createTaskStore, type Tasks } from './create-tasks.js';
