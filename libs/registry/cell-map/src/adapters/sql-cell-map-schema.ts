import { join } from 'node:path';
import type { Pool } from 'pg';
import { assertUnedited, packageRoot, readMigrationFiles } from '#lib/database';

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
 * @throws {FailureError} `database.migration_changed` if an applied file was edited since.
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
