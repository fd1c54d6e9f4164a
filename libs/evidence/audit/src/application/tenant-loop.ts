import { setTimeout as delay } from 'node:timers/promises';
import type { TenantId } from '#lib/kernel';

/** `more`: come back at once; `done`: nothing is left; `hold`: leave this tenant alone for a while. */
export type TenantWorkResult = 'more' | 'done' | 'hold';

export interface TenantLoopOptions {
  /** Tenants with work waiting. */
  readonly due: () => Promise<readonly TenantId[]>;
  readonly work: (tenantId: TenantId) => Promise<TenantWorkResult>;
  /** Told of every failure; the loop goes on. `tenantId` is null if looking for work failed. */
  readonly onError: (error: unknown, tenantId: TenantId | null) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Between rounds: this long while there is work, doubling up to `idleMs` while there is none. */
  readonly busyMs: number;
  readonly idleMs: number;
  /** How long a tenant is left alone after `hold`. */
  readonly holdMs: number;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
const TENANTS_AT_ONCE = 4;

interface Pause {
  readonly until: number;
  readonly retryMs: number;
}

/**
 * Does small work for every tenant that has some, over and over until stopped. If the work of one tenant fails, it is
 * tried again later and later, and delays no other tenant.
 */
export class TenantLoop {
  readonly #stopping = new AbortController();
  readonly #pauses = new Map<TenantId, Pause>();
  #running: Promise<void> | null = null;

  constructor(private readonly options: TenantLoopOptions) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Lets the round under way finish. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { busyMs, idleMs } = this.options;
    const { signal } = this.#stopping;
    let wait = busyMs;
    while (!signal.aborted) {
      const round = await this.#round();
      if (round === 'more') continue;
      wait = round === 'idle' ? Math.min(wait * 2, idleMs) : busyMs;
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  async #round(): Promise<'more' | 'worked' | 'idle'> {
    let due: readonly TenantId[];
    try {
      due = await this.options.due();
    } catch (error) {
      this.options.onError(error, null);
      return 'idle';
    }
    const waiting = due.filter((tenantId) => (this.#pauses.get(tenantId)?.until ?? 0) <= this.options.now());
    if (waiting.length === 0) return 'idle';
    const next = waiting.values();
    const lane = async (): Promise<boolean> => {
      let more = false;
      for (const tenantId of next) more = (await this.#workOn(tenantId)) || more;
      return more;
    };
    const lanes = await Promise.all(Array.from({ length: Math.min(TENANTS_AT_ONCE, waiting.length) }, lane));
    return lanes.includes(true) ? 'more' : 'worked';
  }

  async #workOn(tenantId: TenantId): Promise<boolean> {
    const { work, onError, now, holdMs } = this.options;
    try {
      const result = await work(tenantId);
      if (result === 'hold') this.#pauses.set(tenantId, { until: now() + holdMs, retryMs: FIRST_RETRY_MS });
      else this.#pauses.delete(tenantId);
      return result === 'more';
    } catch (error) {
      const retryMs = this.#pauses.get(tenantId)?.retryMs ?? FIRST_RETRY_MS;
      this.#pauses.set(tenantId, { until: now() + retryMs, retryMs: Math.min(retryMs * 2, LAST_RETRY_MS) });
      onError(error, tenantId);
      return false;
    }
  }
}
