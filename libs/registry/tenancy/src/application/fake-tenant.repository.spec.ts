import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeTenantRepository } from './fake-tenant.repository.js';
import { describeTenantRepository } from './tenant.repository.contract.js';

describeTenantRepository('FakeTenantRepository', () => {
  const uow = new FakeUnitOfWork();
  return Promise.resolve({ uow, tenants: new FakeTenantRepository(uow), close: () => Promise.resolve() });
});
