import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeExecutorRepository } from '../application/executor.repository.contract.js';
import { SqlExecutorRepository } from './sql-executor-repository.js';

describeExecutorRepository('SqlExecutorRepository', async () => ({
  world: await postgresWorld(),
  executors: new SqlExecutorRepository(),
}));
