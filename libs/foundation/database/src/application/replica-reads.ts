import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Enclosed,
  EnclosingTransactions,
  Rehearsal,
  TenantId,
  TransactionMode,
  Tx,
  UnitOfWork,
} from '#lib/kernel';
import type { Rehearsals } from './rehearsals.js';

/** A replica to read from. */
export interface ReadableReplica {
  /**
   * Whether it shows all that this process wrote of the tenant, and is not too far behind.
   *
   * @param withinMs how long to wait for that, if the replica answers at all.
   */
  shows(tenantId: TenantId, withinMs: number): Promise<boolean>;
  /** A transaction of the tenant was committed at the primary. */
  wrote(tenantId: TenantId): void;
  /** A transaction that cannot write. */
  read<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, mode?: TransactionMode): Promise<T>;
  /** Whether an error is the replica's own: its connection is lost, or it cancelled a statement to go on replaying. */
  isAway(error: unknown): boolean;
}

/** Transactions that read, one after another. */
interface Course {
  readonly withinMs: number;
  /** One of them read from the primary. A replica that is behind would know less than it. */
  atPrimary: boolean;
}

/**
 * Transactions at the primary, but for work that says it may read from a replica. Inside a transaction that others join nothing goes to
 * the replica, since it would not show what that one wrote.
 */
export class ReplicaReads implements UnitOfWork, Rehearsals, EnclosingTransactions {
  readonly #mayRead = new AsyncLocalStorage<Course | null>();

  constructor(
    private readonly primary: UnitOfWork & Rehearsals & EnclosingTransactions,
    private readonly replica: ReadableReplica,
  ) {}

  /**
   * Work that only reads, and may do so from the replica: from its beginning, or not at all. Once a transaction reads from the
   * primary, all later ones do.
   *
   * @param withinMs how long it waits for the replica to show the tenant's last write. After that it reads from the
   * primary.
   */
  reading<T>(work: () => Promise<T>, withinMs = 0): Promise<T> {
    const around = this.#mayRead.getStore();
    return this.#mayRead.run(around === undefined ? { withinMs, atPrimary: false } : around, work);
  }

  async run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, mode?: TransactionMode): Promise<T> {
    const mayRead = this.#mayRead.getStore() ?? null;
    if (mayRead !== null) {
      if (!mayRead.atPrimary && (await this.replica.shows(tenantId, mayRead.withinMs))) {
        try {
          return await this.replica.read(tenantId, work, mode);
        } catch (error) {
          if (!this.replica.isAway(error)) throw error;
        }
      }
      mayRead.atPrimary = true;
    }
    const result = await this.primary.run(tenantId, work, mode);
    this.replica.wrote(tenantId);
    return result;
  }

  enclose<T>(tenantId: TenantId, work: (enclosed: Enclosed) => Promise<T>, mode?: TransactionMode): Promise<T> {
    return this.#mayRead.run(null, async () => {
      const result = await this.primary.enclose(tenantId, work, mode);
      this.replica.wrote(tenantId);
      return result;
    });
  }

  rehearse<T>(tenantId: TenantId, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
    return this.#mayRead.run(null, () => this.primary.rehearse(tenantId, work));
  }
}
