import { setTimeout as delay } from 'node:timers/promises';
import type { ServedTenants } from './cell-map.ports.js';
import type { Filled, FillMap } from './fill-map.js';

/** The time between two readings without a notification. */
const LOOK_EVERY_MS = 60_000;
/** After a reading that failed. */
const AGAIN_AFTER_MS = 5_000;
/** Between two readings, so that many changes cause few. */
const PAUSE_MS = 250;

export interface Followed {
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
export class FollowCell {
  constructor(
    private readonly fillMap: FillMap,
    private readonly tenants: Pick<ServedTenants, 'watch'>,
  ) {}

  async execute({ cell, from, onFilled, onError }: Followed): Promise<() => Promise<void>> {
    const stopped = new AbortController();
    const { signal } = stopped;
    const fill = async (): Promise<void> => {
      onFilled(await this.fillMap.execute(cell, from, signal));
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
    // A change between the first reading and the beginning of the watch is not missed: it calls once it listens.
    const unwatch = this.tenants.watch(from, refill, onError);
    look(LOOK_EVERY_MS);
    return async () => {
      stopped.abort();
      clearTimeout(next);
      await unwatch();
      await filling;
    };
  }
}
