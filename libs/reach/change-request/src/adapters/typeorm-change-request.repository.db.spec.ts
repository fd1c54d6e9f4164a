import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeChangeRequestRepository } from '../application/change-request.repository.contract.js';
import { TypeormChangeRequestRepository } from './typeorm-change-request.repository.js';

describeChangeRequestRepository('TypeormChangeRequestRepository', async () => ({
  world: await postgresWorld(),
  changes: new TypeormChangeRequestRepository(testSeals()),
}));
