import type { TenantId } from '#lib/kernel';

/** A tenant counts as at work for so long after it took or ended a turn. */
const LATELY_MS = 10_000;
/** A tenant alone leaves this part of the turns free, so that the next tenant does not wait. */
const LEFT_FREE = 1 / 4;
/** A tenant beside others takes this part of the turns at most, and two at least. One of its requests may be slow. */
const SHARE = 1 / 8;
const MIN_SHARE = 2;
/** The time in turns that a tenant used counts half after so long. */
const HALF_LIFE_MS = 5_000;
/** A tenant that used so many times as much as another waits while the other has a turn. It does not wait long. */
const HEAVIER = 4;
/** Less than so many milliseconds of a tenant make no difference. */
const MIN_USED_MS = 10;
const GIVES_WAY_MS = 100;
/** A tenant rests beside another that was at work within so long. */
const JUST_MS = 1_000;
const MAX_TENANTS = 10_000;
/** The event loop is busy if it works for more of the time than this, measured over `MEASURED_MS` at least. */
const BUSY = 0.25;
const MEASURED_MS = 50;

/** A clock that never goes back, and its alarms. */
export interface TurnsClock {
  /** In milliseconds. */
  now(): number;
  /** @returns how to stop the alarm. */
  after(ms: number, ring: () => void): () => void;
}

export interface FairTurnsOptions {
  /** Turns at the same time, of all tenants. */
  readonly atOnce: number;
  /** Requests of one tenant that wait for a turn at the same time. */
  readonly waitingOfTenant: number;
  /** How long a request waits for its turn. */
  readonly waitMs: number;
  /** A tenant that used far more than another keeps so many turns if the process is short of processor time; one by default. */
  readonly fewest?: number;
  /** Whether the process is short of processor time. Without it: as its event loop says. */
  readonly busy?: () => boolean;
  readonly clock?: TurnsClock;
}

/** Ends a turn. A second call does nothing. */
export type EndTurn = () => void;

type Answer = (endTurn: EndTurn | null) => void;

/** The work of a tenant of late. */
interface Work {
  /** Milliseconds in turns, as of `at`; older ones count less. */
  readonly used: number;
  /** When it last took or ended a turn. */
  readonly at: number;
  /** When it last took one. */
  took: number;
  /** Until when it rests, in milliseconds of the clock: the longest of the rests that its turns ask for. */
  restedAt: number;
}

/**
 * Turns that tenants share, in one process: a turn is the work on one request or transaction. A loud tenant leaves processor and database to the quiet ones:
 *
 * - A tenant takes most turns while no other tenant is at work, and an eighth of them beside others.
 * - A tenant that used far more of late gives way to the others. While one of them has a turn, it takes one in 100 ms.
 * - If the process is short of processor time, such a tenant has the fewest turns. It rests as long as each took. The work that
 *   follows a turn elsewhere needs the same processors.
 * - A free turn goes to the waiting tenant with the fewest turns, and among equals to each in turn.
 *
 * Networks of strangers share theirs in the same way.
 */
export class FairTurns<Tenant extends string = TenantId> {
  readonly #atOnce: number;
  readonly #alone: number;
  readonly #beside: number;
  readonly #waitingOfTenant: number;
  readonly #waitMs: number;
  readonly #fewest: number;
  readonly #used = new Map<Tenant, number>();
  readonly #waiting = new Map<Tenant, Set<Answer>>();
  /** In the order in which the tenants were at work, the latest last. */
  readonly #work = new Map<Tenant, Work>();
  /** The last two tenants at work, the latest first. */
  #lastAtWork: readonly Tenant[] = [];
  readonly #busy: () => boolean;
  readonly #clock: TurnsClock;
  #usedByAll = 0;
  #stopNext: () => void = () => undefined;

  constructor({ atOnce, waitingOfTenant, waitMs, fewest = 1, busy = busyLoop(), clock = CLOCK }: FairTurnsOptions) {
    this.#atOnce = atOnce;
    this.#alone = Math.max(1, atOnce - Math.floor(atOnce * LEFT_FREE));
    this.#beside = Math.min(this.#alone, Math.max(MIN_SHARE, Math.floor(atOnce * SHARE)));
    this.#waitingOfTenant = waitingOfTenant;
    this.#waitMs = waitMs;
    this.#fewest = fewest;
    this.#busy = busy;
    this.#clock = clock;
  }

  /**
   * Takes a turn for the tenant, and waits for it if there is none.
   *
   * @param gone ends the wait.
   * @returns null if too many requests of the tenant wait, the wait took too long, or `gone` ended it.
   */
  take(tenantId: Tenant, gone?: AbortSignal): Promise<EndTurn | null> {
    if (gone?.aborted === true) return Promise.resolve(null);
    const now = this.#clock.now();
    const waiting = this.#waiting.get(tenantId) ?? new Set();
    if (waiting.size === 0 && this.#inMs(tenantId, now) === 0) return Promise.resolve(this.#give(tenantId, now));
    if (waiting.size >= this.#waitingOfTenant) return Promise.resolve(null);
    return new Promise((resolve) => {
      const answer: Answer = (endTurn) => {
        stop();
        gone?.removeEventListener('abort', end);
        resolve(endTurn);
      };
      const end = (): void => {
        waiting.delete(answer);
        if (waiting.size === 0) this.#waiting.delete(tenantId);
        answer(null);
      };
      const stop = this.#clock.after(this.#waitMs, end);
      gone?.addEventListener('abort', end);
      waiting.add(answer);
      this.#waiting.set(tenantId, waiting);
      this.#giveFree();
    });
  }

  #give(tenantId: Tenant, now: number): EndTurn {
    this.#usedByAll += 1;
    this.#used.set(tenantId, this.#usedBy(tenantId) + 1);
    this.#note(tenantId, now, 0).took = now;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#usedByAll -= 1;
      const others = this.#usedBy(tenantId) - 1;
      if (others > 0) this.#used.set(tenantId, others);
      else this.#used.delete(tenantId);
      const then = this.#clock.now();
      const work = this.#note(tenantId, then, then - now);
      // A short turn that ends later does not cut the rest of a long one.
      work.restedAt = Math.max(work.restedAt, then + Math.min(then - now, GIVES_WAY_MS));
      this.#giveFree();
    };
  }

  /** Gives free turns to tenants that wait. Comes back once the next of them need not give way any more. */
  readonly #giveFree = (): void => {
    this.#stopNext();
    const now = this.#clock.now();
    for (;;) {
      let next: Tenant | null = null;
      let soonest = Number.POSITIVE_INFINITY;
      for (const tenantId of this.#waiting.keys()) {
        const inMs = this.#inMs(tenantId, now);
        if (inMs > 0) soonest = Math.min(soonest, inMs);
        else if (next === null || this.#usedBy(tenantId) < this.#usedBy(next)) next = tenantId;
      }
      if (next === null) {
        if (soonest <= GIVES_WAY_MS) this.#stopNext = this.#clock.after(soonest, this.#giveFree);
        return;
      }
      const waiting = this.#waiting.get(next) ?? new Set();
      const [answer] = waiting;
      // Behind the others: among tenants with equally many turns each has its turn.
      this.#waiting.delete(next);
      if (answer === undefined) continue;
      waiting.delete(answer);
      if (waiting.size > 0) this.#waiting.set(next, waiting);
      answer(this.#give(next, now));
    }
  };

  /** In how many milliseconds the tenant may take a turn; infinity if not before a turn ends. */
  #inMs(tenantId: Tenant, now: number): number {
    if (this.#usedByAll >= this.#atOnce || this.#usedBy(tenantId) >= this.#mostOf(tenantId, now)) {
      return Number.POSITIVE_INFINITY;
    }
    const work = this.#work.get(tenantId);
    if (work === undefined) return 0;
    const givesWay = [...this.#used.keys()].some((other) => this.#isFarHeavier(tenantId, other, now));
    const waits = givesWay ? work.took + GIVES_WAY_MS - now : 0;
    return Math.max(0, waits, this.#crowds(tenantId, now, JUST_MS) ? work.restedAt - now : 0);
  }

  #mostOf(tenantId: Tenant, now: number): number {
    if (this.#otherAtWork(tenantId, now, LATELY_MS) === undefined) return this.#alone;
    return this.#crowds(tenantId, now, LATELY_MS) ? Math.min(this.#fewest, this.#beside) : this.#beside;
  }

  /** Whether the process is short of processor time, and the tenant used far more than another at work within `withinMs`. */
  #crowds(tenantId: Tenant, now: number, withinMs: number): boolean {
    const other = this.#otherAtWork(tenantId, now, withinMs);
    return other !== undefined && this.#isFarHeavier(tenantId, other, now) && this.#busy();
  }

  /** The last tenant at work beside this one, if it was at work within `withinMs`. */
  #otherAtWork(tenantId: Tenant, now: number, withinMs: number): Tenant | undefined {
    const [last, before] = this.#lastAtWork;
    const other = last === tenantId ? before : last;
    return other !== undefined && (this.#work.get(other)?.at ?? 0) > now - withinMs ? other : undefined;
  }

  #isFarHeavier(tenantId: Tenant, other: Tenant, now: number): boolean {
    if (other === tenantId) return false;
    return this.#usedLately(tenantId, now) > HEAVIER * Math.max(MIN_USED_MS, this.#usedLately(other, now));
  }

  #usedBy(tenantId: Tenant): number {
    return this.#used.get(tenantId) ?? 0;
  }

  #usedLately(tenantId: Tenant, now: number): number {
    const work = this.#work.get(tenantId);
    return work === undefined ? 0 : work.used * 2 ** ((work.at - now) / HALF_LIFE_MS);
  }

  #note(tenantId: Tenant, now: number, usedMs: number): Work {
    const used = this.#usedLately(tenantId, now) + usedMs;
    const { took = now, restedAt = now } = this.#work.get(tenantId) ?? {};
    const work = { used, at: now, took, restedAt };
    this.#work.delete(tenantId);
    this.#work.set(tenantId, work);
    const oldest = this.#work.keys().next();
    if (this.#work.size > MAX_TENANTS && oldest.done !== true) this.#work.delete(oldest.value);
    const [last] = this.#lastAtWork;
    if (last !== tenantId) this.#lastAtWork = last === undefined ? [tenantId] : [tenantId, last];
    return work;
  }
}

/** The time of this process. Waiting keeps no process alive. */
const CLOCK: TurnsClock = {
  now: () => performance.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Tells whether the event loop of this process is busy. */
function busyLoop(): () => boolean {
  let since = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let busy = false;
  return () => {
    const now = performance.now();
    if (now - measuredAt >= MEASURED_MS) {
      busy = performance.eventLoopUtilization(since).utilization > BUSY;
      since = performance.eventLoopUtilization();
      measuredAt = now;
    }
    return busy;
  };
}
