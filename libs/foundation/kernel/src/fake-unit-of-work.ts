import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantId } from './ids.js';
import type { Tx, UnitOfWork } from './unit-of-work.js';

/** Rows in memory, by tenant and key. Rows are replaced and never changed, so that a rollback can bring them back. */
export class FakeTable<Row> {
  #byTenant = new Map<TenantId, Map<string, Row>>();

  constructor(database: FakeUnitOfWork) {
    database.holds(() => {
      const before = new Map([...this.#byTenant].map(([tenant, rows]) => [tenant, new Map(rows)]));
      return () => {
        this.#byTenant = before;
      };
    });
  }

  /** The rows of the transaction's tenant, in the order in which their keys were first set. */
  of({ tenantId }: Pick<Tx, 'tenantId'>): Map<string, Row> {
    const rows = this.#byTenant.get(tenantId) ?? new Map<string, Row>();
    this.#byTenant.set(tenantId, rows);
    return rows;
  }

  /** The tenants that were asked about, for a look-up before one is known. */
  get tenants(): readonly TenantId[] {
    return [...this.#byTenant.keys()];
  }
}

/** Notes a state, and returns how to bring it back. */
type Snapshot = () => () => void;

/**
 * Transactions over fakes. They run one at a time, so every row read is locked. If the work throws, the transaction is
 * undone as a whole. The clock stands until the test moves it.
 */
export class FakeUnitOfWork implements UnitOfWork {
  readonly #snapshots: Snapshot[] = [];
  readonly #inside = new AsyncLocalStorage<true>();
  #last: Promise<unknown> = Promise.resolve();
  #committed = 0;

  /** @param now the clock, epoch milliseconds. */
  constructor(public now = Date.UTC(2026, 0, 5, 9)) {}

  /** How many transactions have committed. */
  get committed(): number {
    return this.#committed;
  }

  /** A fake registers here the state that a rollback restores. */
  holds(snapshot: Snapshot): void {
    this.#snapshots.push(snapshot);
  }

  run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> {
    // On PostgreSQL the inner transaction would wait for the locks of the outer one, or not see its writes.
    if (this.#inside.getStore() === true) throw new Error('A transaction was begun inside another one.');
    const done = this.#last.then(() => this.#inside.run(true, () => this.#whole(tenantId, work)));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #whole<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> {
    const restores = this.#snapshots.map((snapshot) => snapshot());
    try {
      const result = await work({ tenantId, now: () => Promise.resolve(this.now) });
      this.#committed += 1;
      return result;
    } catch (error) {
      for (const restore of restores) restore();
      throw error;
    }
  }
}
