import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { testDatabase, type TestDatabase } from './database.js';
import { until } from './until.js';
import { openDataSource } from '../../libs/foundation/database/src/adapters/open-data-source.js';
import { TypeormUnitOfWork } from '../../libs/foundation/database/src/adapters/typeorm-unit-of-work.js';

/** A database of its own, and for each test a unit of work. */
export interface UnitOfWorkWorld {
  readonly db: TestDatabase;
  readonly dataSource: DataSource;
  /** Over one connection, so that the next transaction gets the one that the last had. */
  readonly uow: TypeormUnitOfWork;
  tenants(): Promise<number>;
  /** The tenant and the limits of the connection, and its process. */
  settings(): Promise<unknown>;
}

/** The {@link UnitOfWorkWorld.settings} of a connection on which no transaction runs. */
export const UNTOUCHED = { tenant: null, statement: '0', lock: '0', idle: '0' };

export const insertTenant = 'insert into tenant (id, slug, name, created_at) values ($1, $2, $2, clock_timestamp())';

export const raise = (code: string): string =>
  `do $$ begin raise exception 'asked for' using errcode = '${code}'; end $$`;

/** Sets up a world for the tests of the `describe` that calls it. Its parts are there once the tests run. */
export function unitOfWorkWorld(): UnitOfWorkWorld {
  let db: TestDatabase | undefined;
  let dataSource: DataSource | undefined;
  let uow: TypeormUnitOfWork | undefined;
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The world is set up before the tests.');
    return part;
  };
  const world: UnitOfWorkWorld = {
    get db() {
      return ready(db);
    },
    get dataSource() {
      return ready(dataSource);
    },
    get uow() {
      return ready(uow);
    },
    tenants: async () => (await world.db.owner.query('select from tenant')).rowCount ?? 0,
    settings: () =>
      world.dataSource.query(`select nullif(current_setting('app.tenant_id', true), '') as tenant,
        current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle, pg_backend_pid() as pid`),
  };
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => world.db.close());
  beforeEach(async () => {
    const { url } = world.db;
    dataSource = await openDataSource({ url, poolSize: 1, applicationName: 'uow-test', entities: [] });
    uow = new TypeormUnitOfWork(dataSource);
  });
  afterEach(async () => {
    await world.dataSource.destroy();
    await world.db.owner.query('delete from tenant');
  });
  return world;
}

/** Ends a database session, and waits until it is gone. */
export async function terminate(adminUrl: string, pid: number): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_terminate_backend($1, 5000)', [pid]);
  } finally {
    await admin.end();
  }
}

/** Waits until the server has ended a database session by itself. */
export async function gone(db: TestDatabase, pid: number): Promise<void> {
  await until(async () => (await db.owner.query('select from pg_stat_activity where pid = $1', [pid])).rowCount === 0);
}
