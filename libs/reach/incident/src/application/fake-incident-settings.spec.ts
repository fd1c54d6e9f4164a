import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeIncidentSettings } from './fake-incident-settings.js';
import { describeIncidentSettings } from './incident-settings.contract.js';

describeIncidentSettings('FakeIncidentSettings', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, settings: new FakeIncidentSettings(world.uow) });
});
