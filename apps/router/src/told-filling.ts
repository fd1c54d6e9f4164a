import type { Logger } from 'pino';
import type { fillMap } from './fill-map.js';

/** Logs the fillings of a cell's map: each new tenant, and the slugs that another cell holds once they are others than before. */
export function toldFilling(
  log: Pick<Logger, 'info' | 'warn'>,
  cell: string,
): (filled: Awaited<ReturnType<typeof fillMap>>) => void {
  let told = '';
  return ({ added, taken }) => {
    if (added > 0) log.info({ cell, added }, 'tenants are new in the map');
    const now = taken.join();
    if (now !== '' && now !== told)
      log.warn({ cell, slugs: taken }, 'tenants are not in the map: another cell holds their slugs');
    told = now;
  };
}
