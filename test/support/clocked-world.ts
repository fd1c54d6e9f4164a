import { Client } from 'pg';
import { openDataSource, TypeormSystemQuery, TypeormUnitOfWork, type SystemQuery } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import type { UnitOfWork } from '#lib/kernel';
import type { ClockedWorld } from '../../libs/foundation/kernel/src/fake-clock.js';
import { sampleTenant } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { somebodyWaits, testDatabase, type TestDatabase } from './database.js';
import { TenantRows } from './tenant-rows.js';

/** A database whose transactions read a clock that stands until a test moves it. */
interface ClockedDatabase {
  readonly db: TestDatabase;
  readonly uow: UnitOfWork;
  readonly systemQuery: SystemQuery;
  pass(ms: number): Promise<void>;
}

async function clockedDatabase(): Promise<ClockedDatabase & { close(): Promise<void> }> {
  const db = await testDatabase();
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await admin.query(`
    create schema clock;
    create table clock.moment as select date_trunc('second', pg_catalog.clock_timestamp()) as at;
    create function clock.clock_timestamp() returns timestamptz language sql volatile security definer
      return (select at from clock.moment);
    grant usage on schema clock to countersign_app`);
  const url = new URL(db.url);
  url.searchParams.set('options', '-c search_path=clock,pg_catalog,public');
  const options = { url: url.href, poolSize: 4, applicationName: 'countersign-test', entities: ENTITIES };
  const dataSource = await openDataSource(options);
  const uow = new TypeormUnitOfWork(dataSource);
  return {
    db,
    uow,
    systemQuery: new TypeormSystemQuery(dataSource),
    pass: async (ms) => {
      await admin.query("update clock.moment set at = at + $1 * interval '1 millisecond'", [ms]);
    },
    close: async () => {
      await uow.close();
      await dataSource.destroy();
      await admin.end();
      await db.close();
    },
  };
}

/** Opens worlds with tenants of their own over one clocked database of the test file; to be called where `describe` is. */
export function clockedWorlds(): () => Promise<ClockedWorld & ClockedDatabase> {
  let database: Awaited<ReturnType<typeof clockedDatabase>>;
  beforeAll(async () => {
    database = await clockedDatabase();
  });
  afterAll(() => database.close());
  return async () => {
    const { db, uow } = database;
    const [home, other] = [sampleTenant(), sampleTenant()];
    await TenantRows.of(uow, home);
    await TenantRows.of(uow, other);
    return { ...database, home, other, blocked: () => somebodyWaits(db.owner), close: () => Promise.resolve() };
  };
}
