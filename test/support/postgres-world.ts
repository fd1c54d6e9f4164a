import { type ContractWorld, sampleTenant } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { somebodyWaits, type TestDatabase, testDatabase } from './database.js';
import { TenantRows } from './tenant-rows.js';

/** A world in PostgreSQL, for the contract suites of its adapters. */
export async function postgresWorld(): Promise<ContractWorld & { readonly db: TestDatabase }> {
  const db = await testDatabase();
  const [home, other] = [sampleTenant(), sampleTenant()];
  await TenantRows.of(db.uow, home);
  await TenantRows.of(db.uow, other);
  return { uow: db.uow, home, other, db, blocked: () => somebodyWaits(db.owner), close: () => db.close() };
}
