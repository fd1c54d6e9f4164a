import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeHookExecutions } from '../application/hook-executions.contract.js';
import { SqlHookExecutions } from './sql-hook-executions.js';

describeHookExecutions('SqlHookExecutions', async () => ({
  world: await postgresWorld(),
  executions: new SqlHookExecutions(),
}));
