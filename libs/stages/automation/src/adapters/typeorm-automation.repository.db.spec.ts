import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeAutomationRepository } from '../application/automation.repository.contract.js';
import { TypeormAutomationRepository } from './typeorm-automation.repository.js';

describeAutomationRepository('TypeormAutomationRepository', async () => ({
  world: await postgresWorld(),
  automations: new TypeormAutomationRepository(testSeals()),
}));
