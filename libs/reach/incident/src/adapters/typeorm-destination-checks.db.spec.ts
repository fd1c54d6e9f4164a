import { rowsOf } from '#lib/database';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeDestinationChecks } from '../application/destination-checks.contract.js';
import { destinationCheckEntity } from './incident.entity.js';
import { TypeormDestinationChecks } from './typeorm-destination-checks.js';

describeDestinationChecks('TypeormDestinationChecks', async () => ({
  world: await postgresWorld(),
  checks: new TypeormDestinationChecks(),
  idOf: async (tx, address) => (await rowsOf(tx, destinationCheckEntity).findOne({ address }))?.id ?? null,
}));
