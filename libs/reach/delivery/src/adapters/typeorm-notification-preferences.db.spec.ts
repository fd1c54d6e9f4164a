import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describePreferenceStore } from '../application/preference-store.contract.js';
import { TypeormNotificationPreferences } from './typeorm-notification-preferences.js';

describePreferenceStore('TypeormNotificationPreferences', async () => ({
  world: await postgresWorld(),
  preferences: new TypeormNotificationPreferences(),
}));
