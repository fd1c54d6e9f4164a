import { AsyncResource } from 'node:async_hooks';
import { actorOf, type AuditSink, type SealedRow, type TenantId, type UnitOfWork } from '#lib/kernel';

/** How long the same row is not told of again, and of how many rows at most in that time. */
const AGAIN_MS = 10 * 60_000;
const MAX_ROWS = 100;

/** The line that a process logs. */
export const BROKEN_SEAL = 'a stored record that decides was not written by Countersign, and was refused';

/** Hears of a broken seal. `repeated` if the same row, or too many others, were told of just before. */
type BrokenSealListener = (row: SealedRow, repeated: boolean) => void;

/**
 * Reports rows with a broken seal. The listener of this process hears of it at once. No login to the database reaches
 * its log and metrics. A critical audit entry follows in a transaction of its own, so that it outlasts a refusal that
 * rolls back. A row that is read over and over is reported once in ten minutes.
 */
export class SealAlarm {
  readonly #told = new Map<string, number>();
  #listener: BrokenSealListener = () => undefined;
  #record: (row: SealedRow, tenantId: TenantId) => Promise<void> = () => Promise.resolve();

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  /** Sets the listener of this process, in the place of an earlier one. api and worker share an alarm, and count a seal once. */
  onBroken(listener: BrokenSealListener): void {
    this.#listener = listener;
  }

  /** The destination of entries; a process says so as soon as it has one. */
  recordsIn(uow: UnitOfWork, sink: AuditSink): void {
    // Bound to the context of the process: a request's own transaction, which its refusal rolls back, is not joined.
    this.#record = AsyncResource.bind((row: SealedRow, tenantId: TenantId) => recordIn(uow, sink, row, tenantId));
  }

  readonly report = (row: SealedRow): void => {
    const repeated = this.#repeated(row);
    this.#listener(row, repeated);
    // A row names its tenant by the column.
    if (!repeated && row.tenantId !== null) void this.#record(row, row.tenantId as TenantId);
  };

  #repeated({ table, tenantId, id }: SealedRow): boolean {
    const now = this.monotonicMs();
    for (const [key, at] of this.#told) if (now - at > AGAIN_MS) this.#told.delete(key);
    const key = `${table} ${tenantId ?? ''} ${id}`;
    if (this.#told.has(key) || this.#told.size >= MAX_ROWS) return true;
    this.#told.set(key, now);
    return false;
  }
}

async function recordIn(
  uow: UnitOfWork,
  sink: AuditSink,
  { table, id, columns }: SealedRow,
  tenantId: TenantId,
): Promise<void> {
  try {
    await uow.run(tenantId, (tx) =>
      sink.record(tx, {
        action: 'record.not_authentic',
        actor: actorOf({ kind: 'system', tenantId, name: 'row-seals' }),
        level: 'critical',
        subject: { type: table, id },
        payload: { table, row: columns },
      }),
    );
  } catch {
    // The database refused the entry; the log and the metric have it.
  }
}
