import pg from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';

import { DatabaseHosts } from './database-hosts.js';
import { hostedPool } from './hosted-pool.js';
import { SnakeCaseNaming } from './snake-case-naming.js';
import { urlsOf } from './address-of.js';

export interface DataSourceOptions {
  /** Of one host or several. */
  readonly url: string;
  /** The same hosts, for data sources that share the facts about them. */
  readonly hosts?: DatabaseHosts;
  /** Options of the pool, for a host that need not write. */
  readonly pool?: object;
  /** The most connections held at once. */
  readonly poolSize: number;
  /** As `pg_stat_activity` shows it. */
  readonly applicationName: string;
  /** The tables that TypeORM reads and writes; none for SQL by hand alone. */
  readonly entities?: readonly EntitySchema[];
  /** The move of a tenant that uses these database sessions: the freeze of its tenant does not hold them. */
  readonly moveId?: string;
}

/**
 * A connection ends after it was idle for so long, before networks forget it. Some do so after four minutes without a
 * word to either end. A new one costs a login, and plans every statement anew. The pool lends the one used last, so
 * that few stay in use.
 */
const IDLE_MS = 120_000;

/** Connects to the host that writes; without migrations, which are the migrating role's. */
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  const hosts = options.hosts ?? new DatabaseHosts(urlsOf(options.url));
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: hosts.first,
    poolSize: options.poolSize,
    applicationName: options.applicationName,
    entities: [...(options.entities ?? [])],
    namingStrategy: new SnakeCaseNaming(),
    connectTimeoutMS: 10_000,
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    poolErrorHandler: () => undefined,
    // Statements are sent before earlier answers arrive. A transaction begins and commits in the round trips of its own
    // statements.
    extra: {
      pipeline: true,
      idleTimeoutMillis: IDLE_MS,
      // An idle connection does not keep its process alive; a running statement, a timer or a server does.
      allowExitOnIdle: true,
      // An idle connection to a machine that is gone breaks within twenty seconds, even without another host to ask.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(options.pool ?? hostedPool(hosts)),
      ...(options.moveId === undefined ? {} : { options: `-c app.tenant_move=${options.moveId}` }),
    },
  });
  return dataSource.initialize();
}
