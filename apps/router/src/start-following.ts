import { pino } from 'pino';
import { createCellMap, createServedTenants, openCellMap } from '#lib/cell-map';
import { dataDirectory, packageRoot } from '#lib/database';
import { loggerOptions } from '#lib/operation';
import { routerConfigFrom } from './router-config.js';
import { followingLog } from './following-log.js';

/** Follows a cell as the environment says, and leaves in `stops` how to stop its parts. Nothing but a signal ends it. */
export async function startFollowing(
  { cell, from }: { readonly cell: string; readonly from: string },
  stops: (() => Promise<unknown>)[],
): Promise<null> {
  const config = routerConfigFrom(process.env, dataDirectory(process.env, packageRoot()));
  const log = pino(loggerOptions('router-fill', config.logLevel));
  const handlers = followingLog(log, cell);
  const map = await openCellMap(config.map, handlers.onError);
  stops.push(() => map.close());
  const { followCell } = createCellMap({ map, tenants: createServedTenants() });
  const stop = await followCell.execute({ cell, from, ...handlers });
  stops.push(stop);
  log.info({ cell }, 'the map follows the cell');
  return null;
}
