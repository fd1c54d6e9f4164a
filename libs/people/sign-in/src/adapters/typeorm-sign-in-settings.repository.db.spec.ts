import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeSignInSettingsRepository } from '../application/sign-in-settings.repository.contract.js';
import { TypeormSignInSettingsRepository } from './typeorm-sign-in-settings.repository.js';

describeSignInSettingsRepository('TypeormSignInSettingsRepository', async () => ({
  world: await postgresWorld(),
  settings: new TypeormSignInSettingsRepository(testSeals()),
}));
