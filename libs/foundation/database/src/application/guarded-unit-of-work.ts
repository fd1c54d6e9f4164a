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
import type { TenantGate } from './tenant-gate.js';

type Transactions = UnitOfWork & Rehearsals & EnclosingTransactions;

/** Transactions that begin only if their tenant passes the gate. */
export class GuardedUnitOfWork implements Transactions {
  constructor(
    private readonly inner: Transactions,
    private readonly gate: TenantGate,
  ) {}

  run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, mode?: TransactionMode): Promise<T> {
    return this.gate.enter(tenantId, (stillOpen) =>
      this.inner.run(
        tenantId,
        (tx) => {
          stillOpen();
          return work(tx);
        },
        mode,
      ),
    );
  }

  enclose<T>(tenantId: TenantId, work: (enclosed: Enclosed) => Promise<T>, mode?: TransactionMode): Promise<T> {
    return this.gate.enter(tenantId, (stillOpen) =>
      this.inner.enclose(
        tenantId,
        (enclosed) => {
          stillOpen();
          return work(enclosed);
        },
        mode,
      ),
    );
  }

  rehearse<T>(tenantId: TenantId, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
    return this.gate.enter(tenantId, (stillOpen) =>
      this.inner.rehearse(tenantId, (rehearsal) => {
        stillOpen();
        return work(rehearsal);
      }),
    );
  }
}
