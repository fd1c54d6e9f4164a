import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeSignInReturnRepository } from '../application/sign-in-return.repository.contract.js';
import { SqlSignInReturnRepository } from './sql-sign-in-return.repository.js';
import { SqlSignInSettingsRepository } from './sql-sign-in-settings.repository.js';

describeSignInReturnRepository('SqlSignInReturnRepository', async () => ({
  world: await postgresWorld(),
  returns: new SqlSignInReturnRepository(),
  settings: new SqlSignInSettingsRepository(testSeals()),
}));
