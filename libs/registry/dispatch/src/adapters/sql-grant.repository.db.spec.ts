import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeGrantRepository } from '../application/grant.repository.contract.js';
import { SqlGrantRepository } from './sql-grant.repository.js';

describeGrantRepository('SqlGrantRepository', async () => ({
  world: await postgresWorld(),
  grants: new SqlGrantRepository(testSeals()),
}));
