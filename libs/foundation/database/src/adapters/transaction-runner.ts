import { QueryResult, type DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

/** Sends one statement within a transaction. @throws {SqlError} */
export type Send = (
  text: string,
  parameters: readonly unknown[],
) => Promise<{ readonly rows: object[]; readonly rowCount: number | null }>;

/**
 * TypeORM's way into a transaction that the unit of work begins and ends. Its statements take the same path as SQL by
 * hand: they are prepared and pipelined alike, and fail with a `SqlError`.
 */
class TransactionRunner extends PostgresQueryRunner {
  // TypeORM locks rows only within a transaction.
  override isTransactionActive = true;

  constructor(
    driver: PostgresDriver,
    private readonly send: Send,
  ) {
    super(driver, 'master');
  }

  override async query(text: string, parameters: readonly unknown[] = []): Promise<QueryResult<object>> {
    const { rows, rowCount } = await this.send(text, parameters);
    return Object.assign(new QueryResult<object>(), { raw: rows, records: rows, affected: rowCount ?? 0 });
  }
}

/** The entity manager of one transaction; it takes no connection of its own. */
export const managerOver = (dataSource: DataSource, send: Send): EntityManager =>
  dataSource.createEntityManager(new TransactionRunner(dataSource.driver as PostgresDriver, send));
