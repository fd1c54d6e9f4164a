import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairTurns } from '#lib/database';
import { newId, type TenantId } from '#lib/kernel';
import { endTurn, RequestTurns } from './request-turns.js';

const [loud, quiet] = [newId<TenantId>(), newId<TenantId>()];

/** A request over a connection of its own. */
class Exchange {
  readonly request = { headers: {} } as FastifyRequest;
  readonly raw = Object.assign(new EventEmitter(), { destroyed: false });
  /** True once its turn has come, and the code of its refusal if it never comes. */
  turn: unknown = false;

  constructor(
    readonly turns: RequestTurns,
    readonly token: string | null,
  ) {}

  get reply(): FastifyReply {
    return { raw: this.raw } as unknown as FastifyReply;
  }

  /** Asks for its turn, as the guard does. */
  async ask(tenantId: TenantId): Promise<void> {
    this.#settle(this.turns.enter(this.request, this.reply, this.token, tenantId));
    await settled();
  }

  from(ip: string): this {
    Object.assign(this.request, { ip });
    return this;
  }

  async askPublic(): Promise<void> {
    this.#settle(this.turns.enterPublic(this.request, this.reply));
    await settled();
  }

  async askKnown(): Promise<void> {
    this.#settle(this.turns.enterKnown(this.request, this.reply, this.token));
    await settled();
  }

  #settle(turn: Promise<unknown>): void {
    turn.then(
      (known) => (this.turn = known !== false),
      (error: unknown) => (this.turn = (error as { failure: { code: string } }).failure.code),
    );
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Time in turns counts, so a slow machine would change the result. */
const STANDING = { now: () => 0, after: () => () => undefined };

describe('the turns of requests', () => {
  let turns: RequestTurns;
  beforeEach(() => {
    turns = new RequestTurns(
      new FairTurns({ atOnce: 1, waitingOfTenant: 2, waitMs: 10_000, busy: () => false, clock: STANDING }),
      new FairTurns<string>({ atOnce: 4, waitingOfTenant: 0, waitMs: 10_000, busy: () => false, clock: STANDING }),
    );
  });
  const exchange = (token: string | null = null): Exchange => new Exchange(turns, token);

  it.each([
    ['the answer', ({ raw }: Exchange) => raw.emit('finish')],
    ['the connection', ({ raw }: Exchange) => raw.emit('close')],
    ['a stream that begins', ({ request }: Exchange) => (endTurn(request), true)],
  ])('end with %s, and the next request has its turn', async (_what, end) => {
    const [first, second] = [exchange(), exchange()];
    await first.ask(loud);
    await second.ask(quiet);
    expect([first.turn, second.turn]).toEqual([true, false]);
    end(first);
    await settled();
    expect(second.turn).toBe(true);
  });

  it('are had by a known credential before it is looked up again', async () => {
    const [first, unknown, known] = [exchange('a'), exchange('b'), exchange('a')];
    await unknown.askKnown();
    expect(unknown.turn).toBe(false);
    await first.ask(loud);
    await known.askKnown();
    expect(known.turn).toBe(false);
    first.raw.emit('finish');
    await settled();
    expect(known.turn).toBe(true);
  });

  it('are refused with a code if too many requests of the tenant wait', async () => {
    const waiting = [exchange(), exchange(), exchange(), exchange()];
    for (const each of waiting) await each.ask(loud);
    expect(waiting.map(({ turn }) => turn)).toEqual([true, false, false, 'request.tenant_busy']);
  });

  it('of strangers leave room for another network (T22)', async () => {
    const looks = Array.from({ length: 5 }, (_, host) => exchange().from(`2001:db8::${String(host)}`));
    for (const each of looks) await each.askPublic();
    expect(looks.map(({ turn }) => turn)).toEqual([true, true, true, ...Array<string>(2).fill('request.network_busy')]);
    const other = exchange().from('192.0.2.7');
    await other.askPublic();
    expect(other.turn).toBe(true);
    for (const each of looks.slice(0, 2)) each.raw.emit('finish');
    const next = exchange().from('2001:db8::7');
    await next.askPublic();
    expect(next.turn).toBe(true);
  });

  it('of a browser session are those of its network, so it opens for a halt while its tenant is flooded', async () => {
    const browserSession = `csb_${'a'.repeat(43)}`;
    await exchange(browserSession).ask(loud);
    const page = exchange().from('192.0.2.7');
    Object.assign(page.request.headers, { cookie: `__Host-countersign=${browserSession}` });
    await page.askPublic();
    expect(page.turn).toBe(true);
  });

  it('are not kept for a client that has gone', async () => {
    const [first, gone, next] = [exchange(), exchange(), exchange()];
    await first.ask(loud);
    await gone.ask(loud);
    await next.ask(loud);
    gone.raw.emit('close');
    await settled();
    expect(gone.turn).toBe('request.tenant_busy');
    first.raw.emit('finish');
    await settled();
    expect(next.turn).toBe(true);
    next.raw.emit('close');
    const late = exchange();
    late.raw.destroyed = true;
    await late.ask(quiet);
    expect(late.turn).toBe('request.tenant_busy');
  });
});
