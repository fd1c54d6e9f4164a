import { testDatabase } from '../../../../../test/support/database.js';
import { describeTenantRepository } from '../application/tenant.repository.contract.js';
import { TypeormTenantRepository } from './typeorm-tenant.repository.js';

describeTenantRepository('TypeormTenantRepository', async () => {
  const { uow, close } = await testDatabase();
  return { uow, tenants: new TypeormTenantRepository(), close };
});
