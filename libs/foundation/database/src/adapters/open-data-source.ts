import { DataSource, type EntitySchema } from 'typeorm';
import { HEARD_ERRORS } from './heard-errors.js';
import { SnakeCaseNaming } from './snake-case-naming.js';

export interface DataSourceOptions {
  readonly url: string;
  /** The most connections held at once. */
  readonly poolSize: number;
  /** As `pg_stat_activity` shows it. */
  readonly applicationName: string;
  /** The tables that TypeORM reads and writes; none for SQL by hand alone. */
  readonly entities?: readonly EntitySchema[];
}

/** Connects; without migrations, which are the migrating role's. */
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize,
    applicationName: options.applicationName,
    entities: [...(options.entities ?? [])],
    namingStrategy: new SnakeCaseNaming(),
    connectTimeoutMS: 10_000,
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    poolErrorHandler: () => undefined,
    // Statements are sent without waiting for the answers to those before: a transaction begins and commits in the round
    // trips of its own statements.
    extra: { pipeline: true, ...HEARD_ERRORS },
  });
  return dataSource.initialize();
}
