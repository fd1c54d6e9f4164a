import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeChangeRequestRepository } from '../application/change-request.repository.contract.js';
import { SqlChangeRequestRepository } from './sql-change-request.repository.js';

describeChangeRequestRepository('SqlChangeRequestRepository', async () => ({
  world: await postgresWorld(),
  changes: new SqlChangeRequestRepository(testSeals()),
}));
