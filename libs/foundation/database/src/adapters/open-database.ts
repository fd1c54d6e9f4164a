import { Client } from 'pg';
import type { DataSource, EntitySchema } from 'typeorm';
import {
  errorCode,
  type EnclosingTransactions,
  fail,
  type Failure,
  type JobQueue,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';

import type { DatabaseConfig } from '../application/database-config.js';
import type { DatabaseMetrics, JobBacklog, JobWorker, SystemQuery } from '../application/database.ports.js';
import type { Rehearsals } from '../application/rehearsals.js';
import { ReplicaReads } from '../application/replica-reads.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { isPostgres } from '../embedded/processes.js';
import { addressOf, urlsOf } from './address-of.js';
import { assertHears } from './assert-hears.js';
import { assertMigrated } from './assert-migrated.js';
import { assertUnprivileged } from './assert-unprivileged.js';
import { connecting, reaching } from './connecting.js';
import { DatabaseHosts } from './database-hosts.js';
import { dueJobs, jobBacklog } from './due-jobs.js';
import { ASK_HELD, HeldTenants, type HeldAnswer } from './held-tenants.js';
import { migrateDatabase } from './migrate-database.js';
import { openDataSource } from './open-data-source.js';
import { packageRoot } from './package-root.js';
import { PgJobQueue } from './pg-job-queue.js';
import { PgJobWorker } from './pg-job-worker.js';
import { PreparedStatements } from './prepared-statements.js';
import { PgNotifications } from './pg-notifications.js';
import { pinging } from './pinging.js';
import { APP_ROLE } from './prepare-roles.js';
import { ReadReplica, type ReplicaPool } from './read-replica.js';
import { TypeormSystemQuery } from './typeorm-system-query.js';
import { DEFAULT_LIMITS, type TransactionLimits } from './begin-transaction.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

const DATABASE_NAME = 'countersign';
/** How often it is looked whether the embedded server still runs. */
const LOOK_AFTER_SERVER_MS = 1_000;

/** The reason why a process ends once `gone` is aborted. */
export const embeddedEnded: Failure = {
  kind: 'unavailable',
  code: 'database.embedded_ended',
  message: 'The embedded PostgreSQL has ended, so Countersign ends, too.',
  action: 'Start it again: it recovers what was committed. The end of server.log in its folder says why it ended.',
};

/** Everything a process needs of the database; opened once a process, and closed last. */
export interface Database {
  readonly uow: UnitOfWork;
  /** Transactions at the primary, also in work that may read a replica. */
  readonly primary: UnitOfWork;
  readonly rehearsals: Rehearsals;
  readonly enclosingTransactions: EnclosingTransactions;
  /**
   * Does work that only reads. It reads from the replica if one shows all that this process wrote of the tenant. Never
   * for credentials, roles, halts and decisions.
   *
   * @param withinMs how long it waits for the replica to show the tenant's last write. After that it reads from the
   * primary.
   */
  reading<T>(work: () => Promise<T>, withinMs?: number): Promise<T>;
  readonly systemQuery: SystemQuery;
  readonly jobQueue: JobQueue;
  /** Does nothing until handlers are registered and it is started. */
  readonly jobWorker: JobWorker;
  /** Hints that other processes send with NOTIFY. */
  readonly notifications: PgNotifications;
  /** The due jobs not yet done, for metrics. */
  jobBacklog(): Promise<readonly JobBacklog[]>;
  metrics(): DatabaseMetrics;
  /** Whether the database answers within two seconds, for a readiness check. @throws if it does not. */
  ping(): Promise<void>;
  /** Calls back before the first statement reaches a server that was promoted since this process last wrote. */
  onPromotion(listener: () => void): void;
  /** Aborted once the embedded server has ended without being stopped; never for a server of yours. */
  readonly gone: AbortSignal;
  /** Whether the embedded server is used, and the address that serves; without its password. */
  readonly where: { readonly embedded: boolean; readonly address: string };
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** As `pg_stat_activity` shows it. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** The connection that listens for notifications was lost, and is opened again; or a step after a commit failed. */
  readonly onError: (error: Error) => void;
  /** The tables that TypeORM reads and writes. */
  readonly entities: readonly EntitySchema[];
  /** Absent: those that a request needs. */
  readonly limits?: TransactionLimits;
  /** The move of a tenant that uses these database sessions: the freeze of its tenant does not hold them. */
  readonly moveId?: string;
}

/**
 * Opens the database to serve from it. The embedded one is started and migrated; yours must have been migrated
 * (`countersign migrate`), and the login must be countersign_app.
 *
 * @throws {FailureError} `database.unreachable`, `database.login_refused`, `database.missing`,
 * `database.privileged_role`, `database.temporary_tables`, `database.not_app_role`, `database.schema_behind`, `database.migration_changed`,
 * `database.schema_newer`, `database.no_notifications`.
 */
export async function openDatabase(config: DatabaseConfig, options: OpenDatabaseOptions): Promise<Database> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  const gone = new AbortController();
  try {
    let url: string;
    let setting = 'DATABASE_URL';
    let directUrl: string | undefined;
    if (config.kind === 'embedded') {
      const server = await startEmbeddedPostgres({
        directory: config.directory,
        root: packageRoot(),
        ...(config.port === undefined ? {} : { port: config.port }),
      });
      const stopAtExit = (): void => {
        server.stopAtExit();
      };
      process.once('exit', stopAtExit);
      const watch = setInterval(() => {
        void isPostgres(server.pid).then((runs) => {
          if (!runs) gone.abort();
        });
      }, LOOK_AFTER_SERVER_MS).unref();
      cleanUps.push(() => {
        clearInterval(watch);
        process.off('exit', stopAtExit);
        return server.stop();
      });
      url = await migrateEmbedded(server);
    } else {
      ({ url, setting, directUrl } = serviceAddress(config, options.moveId));
    }
    const preparing = (): PreparedStatements => new PreparedStatements(directUrl !== undefined);
    const hosts = new DatabaseHosts(urlsOf(url));
    const dataSource = await connecting(url, setting, () => openDataSource({ ...options, url, hosts }));
    cleanUps.push(() => dataSource.destroy());
    hosts.watch();
    cleanUps.push(() => {
      hosts.close();
      return Promise.resolve();
    });
    await assertUnprivileged(dataSource);
    await assertMigrated(dataSource);
    const listened = directUrl === undefined ? hosts : new DatabaseHosts(urlsOf(directUrl));
    if (directUrl !== undefined || hosts.pooled) await assertHears(dataSource, listened, directUrl);
    const held = new HeldTenants(async () => {
      const [answer] = await dataSource.query<HeldAnswer[]>(ASK_HELD);
      if (answer === undefined) throw new Error('A question for the tenants that move has no answer.');
      return answer;
    });
    await held.start();
    cleanUps.push(() => {
      held.close();
      return Promise.resolve();
    });
    const heldTenants = (): ReadonlySet<TenantId> => held.known;
    const uow = new TypeormUnitOfWork(
      dataSource,
      options.limits,
      undefined,
      (tenantId) => held.questionOf(tenantId),
      preparing(),
      options.onError,
    );
    // After the jobs have stopped: they announce, too.
    cleanUps.push(() => uow.close());
    const replica =
      config.kind === 'external' && config.readUrl !== undefined
        ? readReplica(dataSource, config.readUrl, options)
        : null;
    if (replica !== null) cleanUps.push(() => replica.close());
    const reads = replica === null ? null : new ReplicaReads(uow, replica);
    const transactions = reads ?? uow;
    const notifications = new PgNotifications(listened, options.onError);
    cleanUps.push(() => notifications.close());
    const jobWorker = new PgJobWorker(
      (most, leftOut) => dueJobs(dataSource, most, leftOut),
      notifications,
      heldTenants,
    );
    cleanUps.push(() => jobWorker.stop());
    return {
      uow: transactions,
      primary: uow,
      rehearsals: transactions,
      enclosingTransactions: transactions,
      reading: (work, withinMs) => (reads === null ? work() : reads.reading(work, withinMs)),
      systemQuery: new TypeormSystemQuery(dataSource, heldTenants, preparing()),
      jobQueue: new PgJobQueue(),
      jobWorker,
      notifications,
      onPromotion: (listener) => {
        hosts.onPromotion(listener);
        // A pooler shows no promotion: the direct connection does.
        if (listened !== hosts) listened.onPromotion(listener);
      },
      gone: gone.signal,
      jobBacklog: () => jobBacklog(dataSource),
      metrics: () => ({
        lateCommits: uow.lateCommits,
        replica: replica?.standing ?? null,
        refusedTenants: new Map(),
      }),
      ping: pinging(() => dataSource.query('select 1')),
      where: { embedded: config.kind === 'embedded', address: addressOf(url).shown },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A pooler would not pass the database session of a move on, so that it goes past it. */
function serviceAddress(
  { url, directUrl }: Extract<DatabaseConfig, { readonly kind: 'external' }>,
  moveId: string | undefined,
): { readonly url: string; readonly setting: string; readonly directUrl: string | undefined } {
  if (moveId === undefined || directUrl === undefined) return { url, setting: 'DATABASE_URL', directUrl };
  return { url: directUrl, setting: 'COUNTERSIGN_DIRECT_URL', directUrl: undefined };
}

/** A replica need not be there at the start, and may come and go: the primary is read then. */
function readReplica(primary: DataSource, url: string, options: OpenDatabaseOptions): ReadReplica {
  const open = async (): Promise<ReplicaPool> => {
    const pool = { onConnect: (client: Client) => void client.on('error', () => undefined) };
    const dataSource = await openDataSource({ ...options, url, pool });
    try {
      // Its rows are kept apart as those of the primary are, and by its own login.
      await assertUnprivileged(dataSource, 'COUNTERSIGN_READ_URL');
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
    const limits = { ...(options.limits ?? DEFAULT_LIMITS), readOnly: true } as const;
    return { dataSource, uow: new TypeormUnitOfWork(dataSource, limits) };
  };
  return new ReadReplica(primary, url, open, options.onError);
}

/**
 * `countersign migrate`: brings the configured database up to date.
 *
 * @returns the names of the applied migrations.
 * @throws {FailureError} `database.migrate_url_missing`, and the errors of {@link migrateDatabase}.
 */
export async function migrateConfigured(config: DatabaseConfig): Promise<readonly string[]> {
  if (config.kind === 'external') {
    const { user, password } = addressOf(config.url);
    if (config.migrateUrl === undefined && user === APP_ROLE) {
      fail({
        kind: 'unavailable',
        code: 'database.migrate_url_missing',
        message: `${APP_ROLE} serves and may not change the schema.`,
        action: 'Set COUNTERSIGN_MIGRATE_URL to a login that may make roles, beside DATABASE_URL.',
      });
    }
    const adminUrl = config.migrateUrl ?? config.url;
    const setting = config.migrateUrl === undefined ? 'DATABASE_URL' : 'COUNTERSIGN_MIGRATE_URL';
    return reaching(adminUrl, setting, () =>
      migrateDatabase({
        adminUrl,
        ...(config.migrateUrl !== undefined && user === APP_ROLE && password !== '' ? { appPassword: password } : {}),
      }),
    );
  }
  const server = await startEmbeddedPostgres({ directory: config.directory, root: packageRoot() });
  try {
    return await migrateEmbeddedDatabase(server);
  } finally {
    await server.stop();
  }
}

/**
 * The address of the database for its operator: COUNTERSIGN_MIGRATE_URL, or that of the embedded server's superuser.
 * `close` lets go of it.
 *
 * @throws {FailureError} `database.migrate_url_missing`.
 */
export async function operatorAddress(
  config: DatabaseConfig,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (config.kind === 'external')
    return {
      url:
        config.migrateUrl ??
        fail({
          kind: 'unavailable',
          code: 'database.migrate_url_missing',
          message: `${APP_ROLE} serves and may not do this.`,
          action: 'Set COUNTERSIGN_MIGRATE_URL to a login of the operator, beside DATABASE_URL.',
        }),
      close: () => Promise.resolve(),
    };
  const server = await startEmbeddedPostgres({ directory: config.directory, root: packageRoot() });
  await migrateEmbeddedDatabase(server);
  const url = new URL(server.adminUrl);
  url.pathname = `/${DATABASE_NAME}`;
  return { url: url.href, close: () => server.stop() };
}

async function migrateEmbedded(server: EmbeddedPostgres): Promise<string> {
  await migrateEmbeddedDatabase(server);
  return server.url(APP_ROLE, DATABASE_NAME);
}

async function migrateEmbeddedDatabase(server: EmbeddedPostgres): Promise<readonly string[]> {
  const admin = new Client({ connectionString: server.adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query('select from pg_database where datname = $1', [DATABASE_NAME]);
    if (rows.length === 0) await createDatabase(admin);
  } finally {
    await admin.end();
  }
  const app = new URL(await server.url(APP_ROLE, DATABASE_NAME));
  const adminUrl = new URL(server.adminUrl);
  adminUrl.pathname = `/${DATABASE_NAME}`;
  return migrateDatabase({ adminUrl: adminUrl.href, appPassword: decodeURIComponent(app.password) });
}

async function createDatabase(admin: Client): Promise<void> {
  try {
    await admin.query(`create database ${DATABASE_NAME}`);
  } catch (error) {
    // 42P04, or 23505 in a narrower race: another process made it just now.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  }
}
