import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import { assertUnedited, packageRoot, readMigrationFiles } from '#lib/database';
import { fail, type Failure } from '#lib/kernel';

/** Any number that no other program takes an advisory lock by. */
const SCHEMA_LOCK = 904_411_934;

/** The channel that tells of a change (migrations/cell-map). */
export const CHANNEL = 'countersign_cell_map';

const BOOKKEEPING = `
  create table if not exists cell_map_migration (
    name text not null constraint cell_map_migration_pk primary key,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  );
  comment on table cell_map_migration is 'The migrations that the map has had.';
  comment on column cell_map_migration.name is 'The file, without .sql.';
  comment on column cell_map_migration.checksum is 'SHA-256 of the file, hexadecimal.';
  comment on column cell_map_migration.applied_at is 'When it was applied.'`;

/**
 * Brings the tables of the map up to this version, in one transaction. Routers that start at once wait for each other. What a newer
 * router has applied stays.
 *
 * @param folder of the .sql files.
 * @throws {FailureError} `database.migration_changed` if an applied file was edited since, or if an earlier version made the tables
 * without a migration.
 */
export async function migrateMap(pool: Pool, folder = join(packageRoot(), 'migrations/cell-map')): Promise<void> {
  const files = await readMigrationFiles(folder);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await client.query(BOOKKEEPING);
    const { rows: applied } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from cell_map_migration',
    );
    assertUnedited(files, applied);
    if (applied.length === 0) await assertEmpty(client);
    const names = new Set(applied.map(({ name }) => name));
    for (const { name, checksum, sql } of files.filter((file) => !names.has(file.name))) {
      await client.query(sql);
      await client.query('insert into cell_map_migration (name, checksum) values ($1, $2)', [name, checksum]);
    }
    await client.query('commit');
  } finally {
    // A transaction that failed ends with its connection.
    client.release(true);
  }
}

/** @throws {FailureError} `database.migration_changed`. */
async function assertEmpty(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>(`select to_regclass('cell') is not null as made`);
  if (rows[0]?.made === true) fail(madeWithoutMigration);
}

const madeWithoutMigration: Failure = {
  kind: 'unavailable',
  code: 'database.migration_changed',
  message: 'The database of the map has tables of an earlier version, and no migration made them. Nothing was changed.',
  action:
    'Print the map by the earlier version: countersign-router map. Then begin with an empty database, and add its cells and tenants again: countersign-router cell put, and fill. COUNTERSIGN_ROUTER_DATABASE_URL names the database. Without it the database is embedded: move the folder router/ of COUNTERSIGN_DATA away.',
};
