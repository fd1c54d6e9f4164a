import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeTaskRepository } from '../application/task.repository.contract.js';
import { TypeormTaskRepository } from './typeorm-task.repository.js';

describeTaskRepository('TypeormTaskRepository', async () => ({
  world: await postgresWorld(),
  tasks: new TypeormTaskRepository(),
}));
