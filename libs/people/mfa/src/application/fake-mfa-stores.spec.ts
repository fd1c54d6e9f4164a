import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeCodeStores } from './code-stores.contract.js';
import { describeFactorRepository } from './factor.repository.contract.js';
import {
  FakeLockoutRepository,
  FakePasskeyRegistrationRepository,
  FakeRecoveryCodeRepository,
} from './fake-code-stores.js';
import { FakeFactorRepository } from './fake-factor.repository.js';
import { FakeStepUpRepository } from './fake-step-up.repository.js';
import { describeStepUpRepository } from './step-up.repository.contract.js';

describeFactorRepository('FakeFactorRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, factors: new FakeFactorRepository(world.uow) });
});

describeStepUpRepository('FakeStepUpRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, stepUps: new FakeStepUpRepository(world.uow) });
});

describeCodeStores('in memory', () => {
  const world = fakeWorld();
  const stores = {
    lockouts: new FakeLockoutRepository(world.uow),
    codes: new FakeRecoveryCodeRepository(world.uow),
    registrations: new FakePasskeyRegistrationRepository(world.uow),
  };
  return Promise.resolve({ world, stores });
});
