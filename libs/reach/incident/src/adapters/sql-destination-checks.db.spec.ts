import { rowsOf } from '#lib/database';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeDestinationChecks } from '../application/destination-checks.contract.js';
import { destinationCheckEntity } from './incident.entity.js';
import { SqlDestinationChecks } from './sql-destination-checks.js';

describeDestinationChecks('SqlDestinationChecks', async () => ({
  world: await postgresWorld(),
  checks: new SqlDestinationChecks(),
  idOf: async (tx, address) => (await rowsOf(tx, destinationCheckEntity).findOne({ address }))?.id ?? null,
}));
