import { performance } from 'node:perf_hooks';
import { sqlOf } from '#lib/database';
import type { CredentialId, Principal, TenantId, UnitOfWork } from '#lib/kernel';
import type { CredentialBudget } from '../application/identity.ports.js';

/** How long a process may use up what it drew; what is left then is forfeited. */
const DRAW_LIFETIME_MS = 1_000;
const MOST_CREDENTIALS = 10_000;

export interface BudgetLimits {
  readonly perMinute: number;
  readonly burst: number;
}

/** What this process holds of one credential's budget. */
interface Draw {
  left: number;
  used: number;
  readonly until: number;
}

/**
 * A token bucket in the database for each credential, so that the limit holds over any number of processes. A process
 * draws requests before it serves them, twice as many as it used within the last second: a quiet credential costs one
 * statement a request, a busy one a few a second, and none can be used more often than its bucket allows.
 */
export class PostgresCredentialBudget implements CredentialBudget {
  readonly #uow: UnitOfWork;
  readonly #limits: BudgetLimits;
  readonly #draws = new Map<CredentialId, Draw>();
  readonly #drawing = new Map<CredentialId, Promise<number>>();

  constructor(uow: UnitOfWork, limits: BudgetLimits) {
    this.#uow = uow;
    this.#limits = limits;
  }

  async take(principal: Principal): Promise<number | null> {
    if (principal.kind === 'system') return null;
    const { tenantId, credentialId } = principal;
    for (;;) {
      if (this.#use(credentialId)) return null;
      let drawing = this.#drawing.get(credentialId);
      if (drawing === undefined) {
        drawing = this.#draw(tenantId, credentialId).finally(() => this.#drawing.delete(credentialId));
        this.#drawing.set(credentialId, drawing);
      }
      const waitSeconds = await drawing;
      if (waitSeconds > 0) return waitSeconds;
    }
  }

  #use(id: CredentialId): boolean {
    const draw = this.#draws.get(id);
    if (draw === undefined || draw.left === 0 || performance.now() > draw.until) return false;
    draw.left -= 1;
    draw.used += 1;
    return true;
  }

  /** @returns 0 where something was drawn, else the seconds until there is something. */
  async #draw(tenantId: TenantId, id: CredentialId): Promise<number> {
    const before = this.#draws.get(id);
    const most = Math.max(1, Math.floor(this.#limits.burst / 4));
    const wanted = Math.min(most, Math.max(1, 2 * (before?.used ?? 0)));
    const rate = this.#limits.perMinute / 60;
    const [row] = await this.#uow.run(tenantId, (tx) =>
      sqlOf(tx).query<{ granted: number; tokens: number }>(draw, [tenantId, id, this.#limits.burst, rate, wanted]),
    );
    if (row === undefined) throw new Error('the budget was not returned');
    this.#draws.delete(id);
    if (row.granted === 0) return (1 - row.tokens) / rate;
    this.#draws.set(id, { left: row.granted, used: 0, until: performance.now() + DRAW_LIFETIME_MS });
    const oldest = this.#draws.keys().next();
    if (this.#draws.size > MOST_CREDENTIALS && oldest.done !== true) this.#draws.delete(oldest.value);
    return 0;
  }
}

// $3 is the burst, $4 the refill a second, $5 how many are wanted. What is there at this moment:
const available = `least($3::float8, budget.tokens + $4::float8 * greatest(0, extract(epoch from clock_timestamp() - budget.refilled_at)))`;
const granted = `least($5::integer, floor(${available})::integer)`;

const draw = `
  insert into credential_budget as budget (tenant_id, credential_id, tokens, granted, refilled_at)
  values ($1, $2, $3::float8 - least($5::integer, $3::float8), least($5::integer, $3::float8)::integer, clock_timestamp())
  on conflict (tenant_id, credential_id) do update set
    tokens = greatest(0, ${available} - ${granted}), granted = ${granted}, refilled_at = clock_timestamp()
  returning granted, tokens`;
