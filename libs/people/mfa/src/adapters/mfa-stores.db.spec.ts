import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeCodeStores } from '../application/code-stores.contract.js';
import { describeFactorRepository } from '../application/factor.repository.contract.js';
import { describeStepUpRepository } from '../application/step-up.repository.contract.js';
import { TypeormFactorRepository } from './typeorm-factor.repository.js';
import { TypeormLockoutRepository } from './typeorm-lockout.repository.js';
import { SqlPasskeyRegistrationRepository } from './sql-passkey-registration.repository.js';
import { TypeormRecoveryCodeRepository } from './typeorm-recovery-code.repository.js';
import { TypeormStepUpRepository } from './typeorm-step-up.repository.js';

describeFactorRepository('TypeormFactorRepository', async () => ({
  world: await postgresWorld(),
  factors: new TypeormFactorRepository(testSeals()),
}));

describeStepUpRepository('TypeormStepUpRepository', async () => ({
  world: await postgresWorld(),
  stepUps: new TypeormStepUpRepository(),
}));

describeCodeStores('in PostgreSQL', async () => ({
  world: await postgresWorld(),
  stores: {
    lockouts: new TypeormLockoutRepository(),
    codes: new TypeormRecoveryCodeRepository(),
    registrations: new SqlPasskeyRegistrationRepository(),
  },
}));
