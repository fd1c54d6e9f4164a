/**
 * The database: an embedded PostgreSQL or one of yours, its migrations and roles, and transactions of one tenant. Also
 * the worker that finds rows that are due.
 *
 * Invariants: the serving login can never be owner, superuser or beyond row-level security; every statement of a use
 * case runs in a transaction of one tenant, and nothing of that setting outlives it; a migration once applied never
 * changes; the transaction that makes a row due wakes the workers, and no work depends on that.
 *
 * Adapters of other libraries reach it through `rowsOf(tx, entity)`, `managerOf(tx)`, `sqlOf(tx)` and `lockName(tx, name)`. Each library owns
 * the entities of its tables; the composition root hands them all to `openDatabase`. It holds no rule of any stage.
 */
export {
  bigint,
  boolean,
  bytes,
  double,
  entity,
  globalEntity,
  integer,
  json,
  jsonText,
  moment,
  nullable,
  real,
  smallint,
  text,
  texts,
  uuid,
  type Entity,
  type RowOf,
} from './adapters/entity.js';
export { DATABASE_CLOCK, managerOf, rowsOf, type Where, type Written } from './adapters/tenant-table.js';
export { urlsOf as serverAddresses } from './adapters/address-of.js';
export { migrateDatabase } from './adapters/migrate-database.js';
export { assertUnedited, readMigrationFiles } from './adapters/migration-files.js';

export {
  embeddedEnded,
  migrateConfigured,
  openDatabase,
  operatorAddress,
  type Database,
} from './adapters/open-database.js';
export { connecting, isRefusedByPooler } from './adapters/connecting.js';
export { HELD_STALE_MS } from './adapters/held-tenants.js';
export { openDataSource } from './adapters/open-data-source.js';
export { asOwner } from './adapters/as-owner.js';
export { packageRoot } from './adapters/package-root.js';
export { hostedPool } from './adapters/hosted-pool.js';
export { DatabaseHosts, drop as dropConnection, leave as leaveConnection } from './adapters/database-hosts.js';
export { PgNotifications } from './adapters/pg-notifications.js';
export { enqueueReturned } from './adapters/pg-job-queue.js';
export { dropOldRows } from './adapters/drop-old-rows.js';
export { lockName, lockNameAhead, shareNameAhead } from './adapters/lock-name.js';
export { ParsedTexts } from './adapters/parsed-texts.js';
export { databaseFailure } from './adapters/database-failure.js';
export { isSqlError, lastly, sqlOf } from './adapters/sql.js';
export { NotNow } from './application/not-now.js';
export { foundByWords, wordHits } from './adapters/word-hits.js';
export { TypeormSystemQuery } from './adapters/typeorm-system-query.js';
export { TypeormUnitOfWork } from './adapters/typeorm-unit-of-work.js';
export { readDatabaseAddress } from './application/database-address.js';
export { dataDirectory, databaseConfigFrom } from './application/database-config.js';
export {
  LOOK_MS,
  type DueJob,
  type JobHandler,
  type JobWorker,
  type SystemQuery,
} from './application/database.ports.js';
export type { OldRows } from './application/old-rows.js';
export { GuardedUnitOfWork } from './application/guarded-unit-of-work.js';
export { TenantGate } from './application/tenant-gate.js';
export { FairTurns, type EndTurn } from './application/fair-turns.js';
export { embeddedAddress } from './embedded/embedded-address.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres.js';
export { createStandby } from './standby/create-standby.js';
export { promoteStandby } from './standby/promote-standby.js';
export { readServerState, type ServerState } from './standby/server-state.js';
export { setSynchronousCommit } from './standby/synchronous-commit.js';
export {
  anyJson,
  anyJsonObject,
  MalformedRecordError,
  parsedPlainText,
  parsedText,
  parsedValue,
  unlessMalformed,
} from './application/record-malformed.js';
