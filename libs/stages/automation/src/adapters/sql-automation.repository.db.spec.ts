import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeAutomationRepository } from '../application/automation.repository.contract.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';

describeAutomationRepository('SqlAutomationRepository', async () => ({
  world: await postgresWorld(),
  automations: new SqlAutomationRepository(testSeals()),
}));
