import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeEnvironmentRepository } from '../application/environment.repository.contract.js';
import { TypeormEnvironmentRepository } from './typeorm-environment.repository.js';

describeEnvironmentRepository('TypeormEnvironmentRepository', async () => ({
  world: await postgresWorld(),
  environments: new TypeormEnvironmentRepository(),
}));
