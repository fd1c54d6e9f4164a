import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, escapeIdentifier, escapeLiteral, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import {
  migrateDatabase,
  openDatabase,
  openDataSource,
  packageRoot,
  startEmbeddedPostgres,
  TypeormSystemQuery,
  TypeormUnitOfWork,
  type Database,
  type EmbeddedPostgres,
  type SystemQuery,
} from '#lib/database';
import { ENTITIES } from '#lib/installation';
import type { UnitOfWork } from '#lib/kernel';
import { dueJobs } from '../../libs/foundation/database/src/adapters/due-jobs.js';
import { readMigrationFiles } from '../../libs/foundation/database/src/adapters/migration-files.js';
import { PgJobWorker } from '../../libs/foundation/database/src/adapters/pg-job-worker.js';
import { emptyingOf, keep, KEPT_NAME, takeKept, type KeptDatabase } from './kept-databases.js';
import { until } from './until.js';

/** A migrated database of a test's own. */
export interface TestDatabase {
  /** As the service uses it: countersign_app, under row-level security. */
  readonly uow: UnitOfWork;
  readonly systemQuery: SystemQuery;
  /** A pool as countersign_owner, with every tenant in sight: for arranging and for looking behind the scenes. */
  readonly owner: Pool;
  /** A pool as countersign_app, for its refusals. */
  readonly app: Pool;
  /** The address countersign_app connects to: that of the server's socket, if it is the run's own. */
  readonly url: string;
  /** Present if that is the address of a pooler: the one of the server. */
  readonly directUrl?: string;
  /** The superuser's address, by TCP. */
  readonly adminUrl: string;
  /** The database as an api of this worker opens it. It outlives the test, so only `close` closes it. */
  service(): Promise<Database>;
  /**
   * The same with jobs of its own, for a worker beside the api. Its statements find connections that have planned them. A worker
   * on another server, or behind a pooler, has connections of its own.
   */
  worker(): Promise<Database>;
  /** Disconnects everybody; nothing of the test is left for another one. */
  close(): Promise<void>;
}

/** A server that test databases are made on. */
type TestServer = Pick<EmbeddedPostgres, 'adminUrl' | 'url'>;

/** How an api of a test opens its database; each has a name of its own for PostgreSQL. */
export const OPTIONS_OF_API = { entities: ENTITIES, poolSize: 10, onError: (): void => undefined };

/** Any number that no other program takes an advisory lock by. */
const TEMPLATE_LOCK = 904_411_872;

let server: Promise<EmbeddedPostgres> | undefined;

let elsewhere: TestServer | null = null;

/** Has the test databases that are made from now on be made on another server than the run's own; on that again if null. */
export function useServer(server: TestServer | null): void {
  elsewhere = server;
}

let pooler: ((url: string) => string) | null = null;

/** Has the service reach the test databases that are made from now on through a pooler; without one if null. */
export function usePooler(addressAt: ((url: string) => string) | null): void {
  pooler = addressAt;
}

interface TestRun {
  readonly directory: string;
  /** The folder of the server's socket; absent if only TCP leads to the server. */
  readonly sockets?: string;
  readonly ownerPid: number;
}

function testRun(): TestRun {
  const run = process.env.COUNTERSIGN_TEST_RUN;
  if (run === undefined)
    throw new Error('A unit test has no PostgreSQL. End the name of a file that needs it in .db.spec.ts.');
  return JSON.parse(run) as TestRun;
}

/** The PostgreSQL of this test run: the first to ask starts it, and the run's teardown stops it. */
export function testServer(): Promise<EmbeddedPostgres> {
  const { directory, sockets, ownerPid } = testRun();
  server ??= startEmbeddedPostgres({
    directory,
    root: packageRoot(),
    ownerPid,
    port: 0, // any that is free
    // Nothing here has to survive a power cut, and no other server reads the log.
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      ...{ wal_level: 'minimal', max_wal_senders: '0' },
      // A client derives its key at each connection: 4,096 rounds cost more than the rest of a log-in.
      scram_iterations: '1',
      // It changes the statistics, and a database with others than a new one is dropped.
      autovacuum: 'off',
      // A statement has its plan at its first use in a connection, as in production after five.
      plan_cache_mode: 'force_generic_plan',
      ...(sockets === undefined ? {} : { unix_socket_directories: sockets }),
    },
  });
  return server;
}

const byTcp = (url: string): string => url;

/** An address of the run's server by its socket: a statement takes less work of both ends than over TCP. */
function bySocket(url: string): string {
  const { sockets } = testRun();
  if (sockets === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('host', sockets);
  return address.href;
}

/**
 * A database with every migration applied and nothing in it. It is one that an earlier test of the worker emptied. Or it is a
 * clone of a template that the first caller of the run makes. Call `close()` when done.
 *
 * @param own another server than the run's own, for a test that stops it.
 */
export async function testDatabase(own?: TestServer): Promise<TestDatabase> {
  const postgres = own ?? elsewhere ?? (await testServer());
  const isOfRun = own === undefined && elsewhere === null && pooler === null;
  const at = isOfRun ? bySocket : byTcp;
  const database = (isOfRun ? takeKept() : undefined) ?? (await newDatabase(postgres, at));
  const url = at(await postgres.url('countersign_app', database.name));
  const adminUrl = databaseUrl(postgres.adminUrl, database.name);
  const addresses = pooler === null ? { url } : { url: pooler(url), directUrl: url };
  const owner = new Pool({ connectionString: at(adminUrl), options: '-c role=countersign_owner', max: 5 });
  const app = new Pool({ connectionString: url, max: 5 });
  // A server that a test stops also ends idle connections.
  for (const pool of [owner, app]) pool.on('error', () => undefined);
  const service = (): Promise<Database> =>
    (database.service ??= openDatabase(
      { kind: 'external', ...addresses },
      { ...OPTIONS_OF_API, applicationName: KEPT_NAME },
    ));
  return {
    ...addresses,
    service,
    worker: async () =>
      isOfRun
        ? {
            ...(await service()),
            jobWorker: jobsOf(database.dataSource, await service()),
            close: () => Promise.resolve(),
          }
        : openDatabase(
            { kind: 'external', ...addresses },
            { ...OPTIONS_OF_API, applicationName: 'countersign-test-worker' },
          ),
    ...{ uow: database.uow, systemQuery: database.systemQuery, owner, app, adminUrl },
    close: async () => {
      await Promise.all([owner.end(), app.end()]);
      // A database that could not be emptied is dropped.
      if (isOfRun && (await keep(database).catch(() => false))) return;
      await leave(database);
      await withAdmin(postgres, (admin) => admin.query(`drop database ${database.name} with (force)`));
    },
  };
}

/** Jobs start once, so each worker has its own. No tenant of the run's server moves, so none is held. */
const jobsOf = (dataSource: DataSource, { notifications }: Database): PgJobWorker =>
  new PgJobWorker((most, held) => dueJobs(dataSource, most, held), notifications);

async function newDatabase(postgres: TestServer, at: (url: string) => string): Promise<KeptDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await withAdmin(postgres, async (admin) => {
    const template = await migratedTemplate(postgres, admin);
    await admin.query(`create database ${name} template ${escapeIdentifier(template)} strategy file_copy`);
    // A copy has the rights that a new database has.
    await admin.query(`revoke temporary on database ${name} from public`);
    await admin.query(`grant create, temporary on database ${name} to countersign_owner`);
  });
  const admin = new Client({
    connectionString: at(databaseUrl(postgres.adminUrl, name)),
    application_name: KEPT_NAME,
  });
  admin.on('error', () => undefined);
  await admin.connect();
  const url = at(await postgres.url('countersign_app', name));
  const dataSource = await openDataSource({ url, poolSize: 10, applicationName: KEPT_NAME, entities: ENTITIES });
  return {
    ...{ name, admin, dataSource },
    uow: new TypeormUnitOfWork(dataSource),
    systemQuery: new TypeormSystemQuery(dataSource),
    emptying: await emptyingOf(admin),
  };
}

async function leave({ admin, dataSource, uow, service }: KeptDatabase): Promise<void> {
  await uow.close();
  await Promise.all([dataSource.destroy(), admin.end(), service?.then((opened) => opened.close())]);
}

async function migratedTemplate(postgres: TestServer, admin: Client): Promise<string> {
  const files = await readMigrationFiles(join(packageRoot(), 'migrations'));
  const digest = createHash('sha256')
    .update(files.map((file) => file.checksum).join())
    .digest('hex');
  const template = `template_${digest.slice(0, 16)}`;
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rows } = await admin.query('select from pg_database where datname = $1 and datistemplate', [template]);
    if (rows.length === 0) {
      await admin.query(`drop database if exists ${template} with (force)`);
      await digestAnew(postgres, admin);
      await admin.query(`create database ${template}`);
      const appUrl = await postgres.url('countersign_app', template);
      await migrateDatabase({
        adminUrl: databaseUrl(postgres.adminUrl, template),
        appPassword: new URL(appUrl).password,
      });
      await admin.query(`alter database ${template} is_template true allow_connections false`);
    }
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

/** The superuser's password has the rounds of the set-up until it is set again. */
async function digestAnew(postgres: TestServer, admin: Client): Promise<void> {
  const { username, password } = new URL(postgres.adminUrl);
  await admin.query(`alter role ${escapeIdentifier(username)} password ${escapeLiteral(decodeURIComponent(password))}`);
}

async function withAdmin<T>(postgres: TestServer, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Resolves once somebody waits for a lock that somebody else holds. */
export async function somebodyWaits(owner: Pool): Promise<void> {
  await until(async () => {
    const { rows } = await owner.query<{ waiting: boolean }>(
      `select exists (select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()) as waiting`,
    );
    return rows[0]?.waiting === true;
  });
}
