import { type ContractWorld, sampleTenant } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { somebodyWaits, type TestDatabase, testDatabase } from './database.js';
import { TenantRows } from './tenant-rows.js';

/** Of the test file: each evaluates this module anew. */
let shared: Promise<TestDatabase> | undefined;
afterAll(async () => (await shared)?.close());

/**
 * A world in PostgreSQL, for the contract suites of its adapters. It has tenants of its own, in a database that all worlds of the
 * test file share. To copy and drop one takes longer than most tests.
 */
export async function postgresWorld(): Promise<ContractWorld & { readonly db: TestDatabase }> {
  const db = await (shared ??= testDatabase());
  const [home, other] = [sampleTenant(), sampleTenant()];
  await TenantRows.of(db.uow, home);
  await TenantRows.of(db.uow, other);
  return { uow: db.uow, home, other, db, blocked: () => somebodyWaits(db.owner), close: () => Promise.resolve() };
}
