import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describePreferenceStore } from '../application/preference-store.contract.js';
import { SqlNotificationPreferences } from './sql-notification-preferences.js';

describePreferenceStore('SqlNotificationPreferences', async () => ({
  world: await postgresWorld(),
  preferences: new SqlNotificationPreferences(),
}));
