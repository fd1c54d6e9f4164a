import { readTenants } from '#lib/cell-map';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseHosts, PgNotifications, serverAddresses } from '#lib/database';
import { fillMap, type FilledMap } from './fill-map.js';

/** The cell's database tells here that it serves other tenants, slugs or Slack workspaces (migrations/0250_tenant_move.sql). */
const CHANNEL = 'countersign_tenant_route';
/** The time between two readings without a notification. */
const LOOK_EVERY_MS = 60_000;
/** After a reading that failed. */
const AGAIN_AFTER_MS = 5_000;
/** Between two readings, so that many changes cause few. */
const PAUSE_MS = 250;

/** The result of a reading of the cell: see {@link fillMap}. */
type Filled = Awaited<ReturnType<typeof fillMap>>;

export interface Followed {
  readonly map: FilledMap;
  readonly cell: string;
  /** The database of the cell, past any pooler. */
  readonly from: string;
  readonly onFilled: (filled: Filled) => void;
  /** A reading failed, or the connection that listens is lost. Both are tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Puts a cell's tenants and Slack workspaces into the map, now and at each change there.
 *
 * @returns how to stop.
 * @throws what the first reading throws: a wrong cell or address is told at once.
 */
export async function followCell({ map, cell, from, onFilled, onError }: Followed): Promise<() => Promise<void>> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const fill = async (): Promise<void> => {
    onFilled(await fillMap(map, cell, () => readTenants(from, { signal })));
  };
  await fill();
  let due = false;
  let next: NodeJS.Timeout | undefined;
  let filling: Promise<void> | null = null;
  const isOver = (): boolean => signal.aborted;
  const look = (afterMs: number): void => {
    clearTimeout(next);
    // A reading may end after the stop, and a timer would keep the process.
    if (isOver()) return;
    next = setTimeout(refill, afterMs);
  };
  /** A change during a reading causes one more, so that none is missed. */
  const refill = (): void => {
    due = true;
    filling ??= work().finally(() => (filling = null));
  };
  const work = async (): Promise<void> => {
    while (due && !isOver()) {
      due = false;
      try {
        await fill();
        look(LOOK_EVERY_MS);
      } catch (error) {
        if (!isOver()) onError(error);
        look(AGAIN_AFTER_MS);
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const hosts = new DatabaseHosts(serverAddresses(from));
  hosts.watch();
  const notifications = new PgNotifications(hosts, onError);
  // Told once it listens, too: a change since the first reading is not missed.
  notifications.subscribe(CHANNEL, refill);
  look(LOOK_EVERY_MS);
  return async () => {
    stopped.abort();
    clearTimeout(next);
    await notifications.close();
    hosts.close();
    await filling;
  };
}
