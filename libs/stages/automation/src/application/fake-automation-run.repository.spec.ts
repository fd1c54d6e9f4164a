import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeAutomationRunRepository } from './automation-run.repository.contract.js';
import { FakeAutomationRunRepository } from './fake-automation-run.repository.js';
import { sampleAutomation } from './fake-automation.repository.js';

describeAutomationRunRepository('FakeAutomationRunRepository', () => {
  const world = fakeWorld();
  const runs = new FakeAutomationRunRepository(world.uow);
  return Promise.resolve({ world, runs, automation: sampleAutomation(world.home) });
});
