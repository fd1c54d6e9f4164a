import { performance } from 'node:perf_hooks';
import type { SystemQuery } from '#lib/database';
import { holderIdOf, type Principal, type TenantId } from '#lib/kernel';
import type { BudgetRefusal, RequestBudget } from '../application/identity.ports.js';

/** How long a process may use up its draw; the rest is then forfeited. */
const DRAW_LIFETIME_MS = 1_000;
const MAX_HELD = 10_000;
/** The shortest wait that is told, in seconds. */
const MIN_WAIT = 0.01;

export interface BudgetLimit {
  readonly perMinute: number;
  readonly burst: number;
}

/** The limits of one person or agent, with all their credentials together, and of a whole tenant. */
export interface BudgetLimits {
  readonly holder: BudgetLimit;
  readonly tenant: BudgetLimit;
}

/** The part of one budget that this process holds. One that was found empty is asked for again from `until` on. */
interface Draw {
  left: number;
  used: number;
  readonly until: number;
  readonly empty: boolean;
}

/**
 * Token buckets in the database, one for each person or agent and one for each tenant. So the limits hold over any
 * number of credentials and processes. A process draws requests before it serves them, from both buckets by one
 * statement. It draws twice as many as it used within the last second. A quiet holder costs one statement a request, a
 * busy one a few a second. None has more requests than its bucket allows.
 */
export class SqlRequestBudget implements RequestBudget {
  readonly #system: SystemQuery;
  readonly #limits: BudgetLimits;
  readonly #draws = new Map<string, Draw>();
  readonly #drawing = new Map<string, Promise<void>>();

  constructor(system: SystemQuery, limits: BudgetLimits) {
    this.#system = system;
    this.#limits = limits;
  }

  async take(principal: Principal): Promise<BudgetRefusal | null> {
    if (principal.kind === 'system') return null;
    const { tenantId } = principal;
    const ofHolder = await this.#take(tenantId, holderIdOf(principal));
    if (ofHolder !== null) return { budget: 'holder', waitSeconds: ofHolder };
    const ofTenant = await this.#take(tenantId, tenantId);
    return ofTenant === null ? null : { budget: 'tenant', waitSeconds: ofTenant };
  }

  /** @returns null, or the seconds until there is something. */
  async #take(tenantId: TenantId, id: string): Promise<number | null> {
    for (;;) {
      const now = performance.now();
      const held = this.#draws.get(id);
      if (held !== undefined && now < held.until) {
        if (held.empty) return (held.until - now) / 1_000;
        if (held.left > 0) {
          held.left -= 1;
          held.used += 1;
          return null;
        }
      }
      await (this.#drawing.get(id) ?? this.#startDrawing(tenantId, id));
    }
  }

  /** Draws for `id`, and for the tenant along with it if that is due: one statement, always in this order. */
  #startDrawing(tenantId: TenantId, id: string): Promise<void> {
    const tenant = this.#draws.get(tenantId);
    const alongWith =
      id !== tenantId &&
      !this.#drawing.has(tenantId) &&
      (tenant === undefined || performance.now() >= tenant.until || (tenant.left === 0 && !tenant.empty));
    const ids = alongWith ? [id, tenantId] : [id];
    const drawing = this.#draw(tenantId, ids).finally(() => {
      for (const each of ids) this.#drawing.delete(each);
    });
    for (const each of ids) this.#drawing.set(each, drawing);
    return drawing;
  }

  async #draw(tenantId: TenantId, ids: readonly string[]): Promise<void> {
    const { holder, tenant } = this.#limits;
    const limitOf = (id: string): BudgetLimit => (id === tenantId ? tenant : holder);
    const wanted = ids.map((id) => {
      const most = Math.max(1, Math.floor(limitOf(id).burst / 4));
      return Math.min(most, Math.max(1, 2 * (this.#draws.get(id)?.used ?? 0)));
    });
    const rows = await this.#system.read<{ holder_id: string; given: number; tokens: number }>(
      'request_budget_draw',
      tenantId,
      ids,
      wanted,
      holder.burst,
      holder.perMinute / 60,
      tenant.burst,
      tenant.perMinute / 60,
    );
    if (rows.length !== ids.length) throw new Error('a budget was not returned');
    const now = performance.now();
    for (const { holder_id: id, given, tokens } of rows) {
      const empty = given === 0;
      const waitMs = Math.max(MIN_WAIT, (1 - tokens) / (limitOf(id).perMinute / 60)) * 1_000;
      this.#draws.delete(id);
      this.#draws.set(id, { left: given, used: 0, empty, until: now + (empty ? waitMs : DRAW_LIFETIME_MS) });
    }
    for (const oldest of this.#draws.keys()) {
      if (this.#draws.size <= MAX_HELD) break;
      this.#draws.delete(oldest);
    }
  }
}
