import { FailureError, type TenantId } from '#lib/kernel';
import { databaseAway } from './server-facts.js';

/** How long a refusal stands before it is looked at again. */
const REFUSED_MS = 1_000;

/**
 * Lets the transactions of a tenant begin once a check of its rows passed. Checks it again after a promotion, since the
 * promoted server may lack rows.
 */
export class TenantGate {
  /** Grows with each promotion: a check made before counts no more. */
  #era = 0;
  readonly #passed = new Set<TenantId>();
  readonly #checking = new Map<TenantId, Promise<void>>();
  readonly #refused = new Map<TenantId, { readonly until: number; readonly error: unknown }>();

  /** @param check throws the refusal. */
  constructor(
    private readonly check: (tenantId: TenantId) => Promise<void>,
    private readonly now: () => number,
  ) {}

  /** The last refusal of each refused tenant. */
  get refusals(): readonly unknown[] {
    return [...this.#refused.values()].map(({ error }) => error);
  }

  /** All tenants are checked again. */
  close(): void {
    this.#era += 1;
    this.#passed.clear();
    this.#checking.clear();
    this.#refused.clear();
  }

  /** Work within a transaction that a tenant may begin. @throws the refusal. */
  async enter<T>(tenantId: TenantId, begin: (stillOpen: () => void) => Promise<T>): Promise<T> {
    if (!this.#passed.has(tenantId)) await this.#pass(tenantId);
    const era = this.#era;
    // The connection that the transaction gets may be the first to a promoted server.
    return begin(() => {
      if (this.#era !== era) throw new FailureError(databaseAway);
    });
  }

  async #pass(tenantId: TenantId): Promise<void> {
    const refused = this.#refused.get(tenantId);
    if (refused !== undefined && refused.until > this.now()) throw refused.error;
    let checking = this.#checking.get(tenantId);
    if (checking === undefined) {
      checking = this.#checkOnce(tenantId);
      this.#checking.set(tenantId, checking);
    }
    await checking;
  }

  async #checkOnce(tenantId: TenantId): Promise<void> {
    const era = this.#era;
    try {
      await this.check(tenantId);
      if (this.#era !== era) throw new FailureError(databaseAway);
      this.#passed.add(tenantId);
      this.#refused.delete(tenantId);
    } catch (error) {
      if (this.#era === era) this.#refused.set(tenantId, { until: this.now() + REFUSED_MS, error });
      throw error;
    } finally {
      if (this.#era === era) this.#checking.delete(tenantId);
    }
  }
}
