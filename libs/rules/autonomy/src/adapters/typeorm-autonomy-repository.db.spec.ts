import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeAutonomyRepository } from '../application/autonomy.repository.contract.js';
import { TypeormAutonomyRepository } from './typeorm-autonomy-repository.js';

describeAutonomyRepository('TypeormAutonomyRepository', async () => ({
  world: await postgresWorld(),
  revisions: new TypeormAutonomyRepository(testSeals()),
}));
