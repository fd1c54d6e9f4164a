import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeAutomationRunRepository } from '../application/automation-run.repository.contract.js';
import { sampleAutomation } from '../application/fake-automation.repository.js';
import { SqlAutomationRunRepository } from './sql-automation-run.repository.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';

describeAutomationRunRepository('SqlAutomationRunRepository', async () => {
  const world = await postgresWorld();
  const automation = sampleAutomation(world.home);
  const automations = new SqlAutomationRepository(testSeals());
  await world.uow.run(world.home.tenantId, (tx) => automations.insert(tx, automation));
  return { world, automation, runs: new SqlAutomationRunRepository(testSeals()) };
});
