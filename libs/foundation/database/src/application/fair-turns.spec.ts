import fc from 'fast-check';
import type { TenantId } from '#lib/kernel';
import { FairTurns, type EndTurn, type TurnsClock } from './fair-turns.js';

const [loud, quiet, third] = ['loud', 'quiet', 'third'] as unknown as readonly [TenantId, TenantId, TenantId];
const AT_ONCE = 16;

/** A clock that stands until a test moves it. */
class StandingClock implements TurnsClock {
  #now = 0;
  readonly #alarms = new Set<{ readonly at: number; readonly ring: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, ring: () => void): () => void {
    const alarm = { at: this.#now + ms, ring };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Time goes on, and the alarms ring in their order. */
  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#alarms].sort((one, other) => one.at - other.at);
      if (next === undefined || next.at > until) break;
      this.#alarms.delete(next);
      this.#now = next.at;
      next.ring();
    }
    this.#now = until;
  }
}

/** Requests for turns, and their results, in the order of the answers. */
class Requests {
  readonly turns: FairTurns;
  readonly #clock = new StandingClock();
  readonly given: { readonly tenantId: TenantId; readonly leave: EndTurn }[] = [];
  readonly refused: TenantId[] = [];
  /** How many turns were given, also those that have ended since. */
  total = 0;

  constructor(atOnce = AT_ONCE, waitingOfTenant = 100, waitMs = 60_000, busy = () => false, fewest = 1) {
    this.turns = new FairTurns({ atOnce, waitingOfTenant, waitMs, fewest, busy, clock: this.#clock });
  }

  /** Time goes on, and the work due by then has happened. */
  after(ms: number): Promise<void> {
    this.#clock.pass(ms);
    return settled();
  }

  ask(tenantId: TenantId, times = 1, gone?: AbortSignal): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      void this.turns.take(tenantId, gone).then((leave) => {
        if (leave === null) {
          this.refused.push(tenantId);
          return;
        }
        this.given.push({ tenantId, leave });
        this.total += 1;
      });
    }
    return settled();
  }

  async leave(tenantId: TenantId): Promise<void> {
    const index = this.given.findIndex((one) => one.tenantId === tenantId);
    this.given.splice(index, 1)[0]?.leave();
    await settled();
  }

  countOf(tenantId: TenantId): number {
    return this.given.filter((one) => one.tenantId === tenantId).length;
  }
}

/** All promises that are due now. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns that tenants share', () => {
  let requests: Requests;
  beforeEach(() => {
    requests = new Requests();
  });

  it('are a tenant’s but for a quarter while no other tenant is at work', async () => {
    await requests.ask(loud, 20);
    expect(requests.countOf(loud)).toBe(12);
    await requests.ask(quiet);
    expect(requests.countOf(quiet)).toBe(1);
  });

  it('are shared beside others: a tenant takes an eighth, until the others have been still for ten seconds', async () => {
    await requests.ask(quiet);
    await requests.leave(quiet);
    await requests.ask(loud, 20);
    expect(requests.countOf(loud)).toBe(2);
    await requests.after(9_999);
    await requests.leave(loud);
    expect(requests.countOf(loud)).toBe(2);
    await requests.leave(loud);
    await requests.after(10_000);
    await requests.leave(loud);
    expect(requests.countOf(loud)).toBe(12);
  });

  it('shrink to an eighth as they are left, once another tenant has come', async () => {
    await requests.ask(loud, 20);
    await requests.ask(quiet);
    for (const left of [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 2, 2]) {
      await requests.leave(loud);
      expect(requests.countOf(loud)).toBe(left);
    }
  });

  it('go to the tenant with the fewest, and among equals to each in turn', async () => {
    requests = new Requests(2);
    await requests.ask(loud, 1);
    await requests.ask(quiet, 4);
    await requests.ask(loud, 2);
    await requests.ask(third, 2);
    expect(requests.given.map(({ tenantId }) => tenantId)).toEqual([loud, quiet]);
    const order: TenantId[] = [];
    for (let left = 0; left < 6; left += 1) {
      await requests.leave(requests.given[0]?.tenantId ?? loud);
      order.push(requests.given.at(-1)?.tenantId ?? loud);
    }
    expect(order).toEqual([loud, quiet, third, loud, quiet, third]);
  });

  it('are left to a tenant that used far less: beside it a loud tenant takes one in 100 ms', async () => {
    await requests.ask(quiet);
    await requests.leave(quiet);
    await requests.ask(loud, 20);
    await requests.after(100);
    for (let left = 0; left < 10; left += 1) await requests.leave(loud);
    await requests.after(100);
    await requests.ask(quiet);
    await requests.leave(loud);
    await requests.leave(loud);
    expect(requests.countOf(loud)).toBe(1);
    await requests.after(99);
    expect(requests.countOf(loud)).toBe(1);
    await requests.after(1);
    expect(requests.countOf(loud)).toBe(2);
  });

  it('are one for a tenant that used far more, if the process is short of processor time', async () => {
    let busy = true;
    requests = new Requests(AT_ONCE, 100, 60_000, () => busy);
    await requests.ask(loud, 10);
    await requests.after(100);
    await requests.ask(quiet);
    await requests.leave(quiet);
    for (let left = 0; left < 10; left += 1) await requests.leave(loud);
    await requests.after(100);
    await requests.ask(loud, 4);
    expect(requests.countOf(loud)).toBe(1);
    await requests.ask(quiet, 2);
    expect(requests.countOf(quiet)).toBe(2);
    busy = false;
    await requests.leave(quiet);
    await requests.leave(quiet);
    expect(requests.countOf(loud)).toBe(2);
  });

  it('are the fewest for such a tenant, as the process says', async () => {
    requests = new Requests(32, 100, 60_000, () => true, 3);
    await requests.ask(loud, 10);
    await requests.after(100);
    await requests.ask(quiet);
    await requests.leave(quiet);
    for (let left = 0; left < 10; left += 1) await requests.leave(loud);
    await requests.after(100);
    await requests.ask(loud, 10);
    expect(requests.countOf(loud)).toBe(3);
  });

  it('are followed by a rest for such a tenant, as long as the turn took, 100 ms at most', async () => {
    let busy = true;
    requests = new Requests(AT_ONCE, 100, 60_000, () => busy);
    const rests = async (turnMs: number, restMs: number): Promise<void> => {
      await requests.ask(quiet);
      await requests.leave(quiet);
      await requests.ask(loud);
      expect(requests.countOf(loud)).toBe(1);
      await requests.after(turnMs);
      await requests.leave(loud);
      await requests.ask(loud);
      if (restMs > 0) {
        await requests.after(restMs - 1);
        expect(requests.countOf(loud)).toBe(0);
        await requests.after(1);
      }
      expect(requests.countOf(loud)).toBe(1);
      await requests.leave(loud);
    };
    await rests(500, 100);
    await rests(7, 7);
    busy = false;
    await rests(7, 0);
  });

  it('are followed by the longest rest of turns at the same time', async () => {
    requests = new Requests(32, 100, 60_000, () => true, 2);
    await requests.ask(quiet);
    await requests.leave(quiet);
    await requests.ask(loud);
    await requests.after(85);
    await requests.ask(loud);
    await requests.after(5);
    await requests.leave(loud);
    await requests.after(1);
    await requests.leave(loud);
    await requests.ask(loud);
    await requests.after(88);
    expect(requests.countOf(loud)).toBe(0);
    await requests.after(1);
    expect(requests.countOf(loud)).toBe(1);
  });

  it('are followed by no rest if no other tenant was at work within a second', async () => {
    requests = new Requests(AT_ONCE, 100, 60_000, () => true);
    await requests.ask(quiet);
    await requests.leave(quiet);
    await requests.ask(loud);
    await requests.after(999);
    await requests.leave(loud);
    await requests.ask(loud);
    expect(requests.countOf(loud)).toBe(0);
    await requests.after(1);
    await requests.ask(loud);
    expect(requests.countOf(loud)).toBe(1);
  });

  it('are one for such a tenant, too, if the event loop of the process has been busy', async () => {
    const turns = new FairTurns({ atOnce: AT_ONCE, waitingOfTenant: 100, waitMs: 60_000 });
    const first = await turns.take(loud);
    for (const until = performance.now() + 100; performance.now() < until;);
    first?.();
    (await turns.take(quiet))?.();
    const given: (EndTurn | null)[] = [];
    for (let each = 0; each < 2; each += 1) void turns.take(loud).then((leave) => given.push(leave));
    await settled();
    expect(given).toEqual([]);
    // Its rest is over after 100 ms.
    for (const until = performance.now() + 5_000; given.length === 0 && performance.now() < until;) await settled();
    expect(given).toHaveLength(1);
  });

  it('are one at least, however few there are', async () => {
    requests = new Requests(1);
    await requests.ask(loud, 3);
    await requests.ask(quiet);
    const order: TenantId[] = [];
    for (let left = 0; left < 4; left += 1) {
      order.push(...requests.given.map(({ tenantId }) => tenantId));
      await requests.leave(order.at(-1) ?? loud);
    }
    expect(order).toEqual([loud, loud, quiet, loud]);
  });

  it('are left once, however often a request says so', async () => {
    requests = new Requests(1);
    await requests.ask(loud, 3);
    const leave = requests.given[0]?.leave;
    leave?.();
    leave?.();
    await settled();
    expect(requests.given).toHaveLength(2);
  });

  it('are refused to a tenant of which enough requests wait, and to no other', async () => {
    requests = new Requests(1, 2);
    await requests.ask(loud, 4);
    await requests.ask(quiet);
    expect([requests.given.length, requests.refused]).toEqual([1, [loud]]);
    await requests.leave(loud);
    await requests.leave(loud);
    expect(requests.countOf(quiet)).toBe(1);
  });

  it('are refused after the longest wait', async () => {
    requests = new Requests(1, 100, 1);
    await requests.ask(loud);
    await requests.ask(quiet);
    await requests.after(1);
    expect(requests.refused).toEqual([quiet]);
  });

  it('are not kept for a request that has gone', async () => {
    requests = new Requests(1);
    await requests.ask(loud);
    const [gone, before] = [new AbortController(), AbortSignal.abort()];
    await requests.ask(quiet, 1, gone.signal);
    await requests.ask(quiet, 1, before);
    await requests.ask(third);
    gone.abort();
    await settled();
    expect(requests.refused).toEqual([quiet, quiet]);
    await requests.leave(loud);
    expect(requests.given.map(({ tenantId }) => tenantId)).toEqual([third]);
  });

  const tenants = ['a', 'b', 'c', 'd'] as unknown as readonly TenantId[];
  const tenant = fc.constantFrom(...tenants);
  const ask = fc.record({ does: fc.constant('ask' as const), tenant });
  const leave = fc.record({ does: fc.constant('leave' as const), tenant });
  const rest = fc.record({ does: fc.constant('rest' as const), ms: fc.integer({ min: 1, max: 20_000 }) });
  type Event = { does: 'ask' | 'leave'; tenant: TenantId } | { does: 'rest'; ms: number };

  /** Plays events in their order, and calls `check` after each with the requests of each tenant that wait. */
  async function play(
    turns: number,
    events: readonly Event[],
    check: (all: Requests, waits: (of: TenantId) => number, event: Event) => void,
  ): Promise<void> {
    const all = new Requests(turns, 1_000, 10_000_000);
    const asked = new Map<TenantId, number>();
    for (const event of events) {
      if (event.does === 'rest') await all.after(event.ms);
      else if (event.does === 'ask' || all.countOf(event.tenant) > 0) {
        asked.set(event.tenant, (asked.get(event.tenant) ?? 0) + (event.does === 'ask' ? 1 : -1));
        await (event.does === 'ask' ? all.ask(event.tenant) : all.leave(event.tenant));
      }
      check(all, (of) => (asked.get(of) ?? 0) - all.countOf(of), event);
    }
  }

  it('are bounded in any order of events, and none stays free while a tenant below its share waits', async () => {
    const events = fc.array(fc.oneof(ask, leave, rest), { maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 24 }), events, async (turns, all) => {
        const most = Math.max(1, turns - Math.floor(turns / 4));
        const share = Math.min(most, Math.max(2, Math.floor(turns / 8)));
        const wrong: object[] = [];
        await play(turns, all, (requests, waits, event) => {
          const given = requests.given.length;
          for (const tenant of tenants) {
            const [has, waiting] = [requests.countOf(tenant), waits(tenant)];
            // It may give way to another tenant for 100 ms.
            const isNext = given === has || (event.does === 'rest' && event.ms >= 100 * share);
            const isKept = waiting > 0 && has < share && isNext && given < turns;
            if (given > turns || has > most || isKept) wrong.push({ event, tenant, given, has, waiting });
          }
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('are given in turn in any order of events: each tenant passes over another without any only once', async () => {
    const events = fc.array(fc.oneof(ask, leave), { maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), events, async (turns, all) => {
        /** How many turns had been given when a tenant without any began to wait. */
        const since = new Map<TenantId, number>();
        const passedOver: number[] = [];
        await play(turns, all, (requests, waits) => {
          for (const each of tenants) {
            if (waits(each) === 0 || requests.countOf(each) > 0) since.delete(each);
            else since.set(each, since.get(each) ?? requests.total);
            passedOver.push(requests.total - (since.get(each) ?? requests.total));
          }
        });
        expect(Math.max(0, ...passedOver)).toBeLessThan(tenants.length);
      }),
      { numRuns: 200 },
    );
  });
});
