import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSettingsStamps } from './fake-settings-stamps.js';
import { describeSettingsStamps } from './settings-stamps.contract.js';

describeSettingsStamps('FakeSettingsStamps', () => {
  const stamps = new FakeSettingsStamps();
  const moves = { settings: () => Promise.resolve(void (stamps.stamp = 'second')) };
  return Promise.resolve({ world: fakeWorld(), stamps, moves });
});
