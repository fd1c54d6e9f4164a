import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeExecutorRepository } from '../application/executor.repository.contract.js';
import { TypeormExecutorRepository } from './typeorm-executor-repository.js';

describeExecutorRepository('TypeormExecutorRepository', async () => ({
  world: await postgresWorld(),
  executors: new TypeormExecutorRepository(),
}));
