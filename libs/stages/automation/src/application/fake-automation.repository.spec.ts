import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeAutomationRepository } from './automation.repository.contract.js';
import { FakeAutomationRepository } from './fake-automation.repository.js';

describeAutomationRepository('FakeAutomationRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, automations: new FakeAutomationRepository(world.uow) });
});
