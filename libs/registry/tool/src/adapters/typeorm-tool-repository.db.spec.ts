import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeToolRepository } from '../application/tool.repository.contract.js';
import { TypeormToolRepository } from './typeorm-tool-repository.js';

describeToolRepository('TypeormToolRepository', async () => ({
  world: await postgresWorld(),
  tools: new TypeormToolRepository(),
}));
