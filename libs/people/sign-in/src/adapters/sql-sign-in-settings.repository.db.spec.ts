import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeSignInSettingsRepository } from '../application/sign-in-settings.repository.contract.js';
import { SqlSignInSettingsRepository } from './sql-sign-in-settings.repository.js';

describeSignInSettingsRepository('SqlSignInSettingsRepository', async () => ({
  world: await postgresWorld(),
  settings: new SqlSignInSettingsRepository(testSeals()),
}));
