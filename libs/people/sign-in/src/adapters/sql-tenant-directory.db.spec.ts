import { newId, type TenantId } from '#lib/kernel';
import { testDatabase } from '../../../../../test/support/database.js';
import { describeTenantDirectory } from '../application/tenant-directory.contract.js';
import { SqlTenantDirectory } from './sql-tenant-directory.js';

describeTenantDirectory('SqlTenantDirectory', async () => {
  const db = await testDatabase();
  return {
    directory: new SqlTenantDirectory(db.systemQuery),
    found: async (slug) => {
      const id = newId<TenantId>();
      await db.owner.query('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, now())', [id, slug]);
      return id;
    },
    close: () => db.close(),
  };
});
