import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeTaskRepository } from '../application/task.repository.contract.js';
import { SqlTaskRepository } from './sql-task.repository.js';

describeTaskRepository('SqlTaskRepository', async () => ({
  world: await postgresWorld(),
  tasks: new SqlTaskRepository(),
}));
