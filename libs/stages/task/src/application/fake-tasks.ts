import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { createTasks, type TaskDeps } from '../create-tasks.js';

/** The use cases of tasks, over the rows and the parts that a test gives. */
export const fakeTasks = (uow: FakeUnitOfWork, given: Partial<TaskDeps> = {}) =>
  createTasks({
    ...{ uow, tasks: unasked(), audit: unasked(), agents: unasked(), environments: unasked(), conditions: unasked() },
    cancelled: [],
    ...given,
  });
