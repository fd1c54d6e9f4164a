import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeAutonomyRepository } from '../application/autonomy.repository.contract.js';
import { SqlAutonomyRepository } from './sql-autonomy-repository.js';

describeAutonomyRepository('SqlAutonomyRepository', async () => ({
  world: await postgresWorld(),
  revisions: new SqlAutonomyRepository(testSeals()),
}));
