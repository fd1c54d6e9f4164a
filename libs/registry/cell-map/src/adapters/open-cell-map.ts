import { Pool } from 'pg';
import { DatabaseHosts, packageRoot, PgNotifications, startEmbeddedPostgres } from '#lib/database';
import type { CellMapConfig } from '../application/cell-map-config.js';
import type { CellMap } from '../application/cell-map.ports.js';
import { CELL_MAP_SCHEMA, SCHEMA_LOCK } from './cell-map-schema.js';
import { SqlCellMap } from './sql-cell-map.js';

/** The map, and how to let go of it. */
export interface OpenCellMap extends CellMap {
  close(): Promise<void>;
}

/** Opens the map, and makes its tables if they are not there. */
export async function openCellMap(config: CellMapConfig, onError: (error: Error) => void): Promise<OpenCellMap> {
  const server =
    'url' in config ? null : await startEmbeddedPostgres({ directory: config.directory, root: packageRoot(), port: 0 });
  const url = 'url' in config ? config.url : (server?.adminUrl ?? '');
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 10_000 });
  pool.on('error', onError);
  const notifications = new PgNotifications(new DatabaseHosts([url]), onError);
  const close = async (): Promise<void> => {
    await notifications.close();
    await pool.end();
    await server?.stop();
  };
  try {
    await prepare(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return Object.assign(new SqlCellMap(pool, notifications), { close });
}

/** Two routers may start at once. */
async function prepare(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await client.query(CELL_MAP_SCHEMA);
    await client.query('commit');
  } finally {
    // A transaction that failed ends with its connection.
    client.release(true);
  }
}
