import { testDatabase } from '../../../../../test/support/database.js';
import { describeTenantRepository } from '../application/tenant.repository.contract.js';
import { SqlTenantRepository } from './sql-tenant.repository.js';

describeTenantRepository('SqlTenantRepository', async () => {
  const { uow, close } = await testDatabase();
  return { uow, tenants: new SqlTenantRepository(), close };
});
