import { newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { AutomationId } from '../domain/ids.js';
import { describeAutomationSecrets } from './automation-secrets.contract.js';
import { FakeAutomationSecrets } from './fake-automation-secrets.js';

describeAutomationSecrets('FakeAutomationSecrets', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    secrets: new FakeAutomationSecrets(world.uow),
    automation: () => Promise.resolve(newId<AutomationId>()),
    until: (moment) => Promise.resolve(void (world.uow.now = moment)),
  });
});
