import type { Logger } from 'pino';
import type { Followed } from '#lib/cell-map';

/**
 * Logs the events of a cell that is followed: each new tenant, and the workspaces that left the map. It also logs the slugs that
 * another cell holds, each time that they change. A cell or map that is away is logged once for each reason, and once more when it
 * is back. Both are tried again every few seconds.
 */
export function followingLog(
  log: Pick<Logger, 'debug' | 'info' | 'warn'>,
  cell: string,
): Pick<Followed, 'onFilled' | 'onError'> {
  let loggedSlugs = '';
  let away: string | null = null;
  return {
    onFilled: ({ added, removed, taken }) => {
      if (away !== null) log.info({ cell }, 'the cell and the map are read again');
      away = null;
      if (added > 0) log.info({ cell, added }, 'tenants are new in the map');
      if (removed > 0) log.info({ cell, removed }, 'Slack workspaces left the map');
      const now = taken.join();
      if (now !== '' && now !== loggedSlugs)
        log.warn({ cell, slugs: taken }, 'tenants are not in the map: another cell holds their slugs');
      loggedSlugs = now;
    },
    onError: (error) => {
      const why = String(error);
      if (why === away) log.debug({ cell, err: error }, 'still away');
      else log.warn({ cell, err: error }, 'the cell or the map cannot be read; both are tried again');
      away = why;
    },
  };
}
