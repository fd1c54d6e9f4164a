import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeToolRepository } from '../application/tool.repository.contract.js';
import { SqlToolRepository } from './sql-tool-repository.js';

describeToolRepository('SqlToolRepository', async () => ({
  world: await postgresWorld(),
  tools: new SqlToolRepository(),
}));
