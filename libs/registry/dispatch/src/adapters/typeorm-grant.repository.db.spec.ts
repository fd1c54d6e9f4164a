import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeGrantRepository } from '../application/grant.repository.contract.js';
import { TypeormGrantRepository } from './typeorm-grant.repository.js';

describeGrantRepository('TypeormGrantRepository', async () => ({
  world: await postgresWorld(),
  grants: new TypeormGrantRepository(testSeals()),
}));
