import type { SettingsStamps } from './impact.ports.js';

/** Names the settings as a test says. */
export class FakeSettingsStamps implements SettingsStamps {
  stamp = 'first';

  present(): Promise<string> {
    return Promise.resolve(this.stamp);
  }
}
