import { Pool } from 'pg';
import {
  DatabaseHosts,
  hostedPool,
  packageRoot,
  PgNotifications,
  serverAddresses,
  startEmbeddedPostgres,
} from '#lib/database';
import type { CellMapConfig } from './application/cell-map-config.js';
import type { CellMap, ServedTenants } from './application/cell-map.ports.js';
import { FillMap, type FilledMap } from './application/fill-map.js';
import { FollowCell } from './application/follow-cell.js';
import { SqlCellMap } from './adapters/sql-cell-map.js';
import { migrateMap } from './adapters/sql-cell-map-schema.js';
import { SqlServedTenants } from './adapters/sql-served-tenants.js';

/** The map, and how to let go of it. */
export interface OpenCellMap extends CellMap {
  close(): Promise<void>;
}

/** No statement of the map takes longer, but on a database that does not answer. */
const ANSWER_MS = 10_000;

/** Opens the map. Its first use brings its tables up to this version. So a database that is away fails no start. */
export async function openCellMap(config: CellMapConfig, onError: (error: Error) => void): Promise<OpenCellMap> {
  const server =
    'url' in config ? null : await startEmbeddedPostgres({ directory: config.directory, root: packageRoot(), port: 0 });
  const url = 'url' in config ? config.url : (server?.adminUrl ?? '');
  const hosts = new DatabaseHosts(serverAddresses(url));
  hosts.watch();
  const pool = new Pool({
    ...hostedPool(hosts),
    ...{ connectionString: hosts.first, max: 4 },
    ...{ connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS },
  });
  pool.on('error', onError);
  const notifications = new PgNotifications(hosts, onError);
  const close = async (): Promise<void> => {
    hosts.close();
    await notifications.close();
    await pool.end();
    await server?.stop();
  };
  let prepared: Promise<void> | null = null;
  const prepareOnce = (): Promise<void> =>
    (prepared ??= migrateMap(pool).catch((error: unknown) => {
      prepared = null;
      throw error;
    }));
  return Object.assign(new SqlCellMap(pool, notifications, prepareOnce), { close });
}

/** The tenants of cells, read from the database of each. */
export const createServedTenants = (): ServedTenants => new SqlServedTenants();

export interface CellMapDeps {
  readonly map: FilledMap;
  readonly tenants: ServedTenants;
}

/** The use cases that keep the map as its cells are. */
export function createCellMap({ map, tenants }: CellMapDeps) {
  const fillMap = new FillMap(map, tenants);
  return { fillMap, followCell: new FollowCell(fillMap, tenants) };
}
