import type { SiemCollectorId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Collector } from '../domain/collector.js';
import type { CollectorStore } from './siem.ports.js';

type Row = Collector & { readonly token: string | null };

/** Keeps the collector of each tenant in memory. */
export class FakeCollectors implements CollectorStore {
  readonly #rows: FakeTable<Row>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  find(tx: Tx): Promise<Collector | null> {
    const row = this.#of(tx);
    if (row === null) return Promise.resolve(null);
    const { token, ...collector } = row;
    return Promise.resolve({ ...collector, hasToken: token !== null });
  }

  lockForChange(): Promise<void> {
    return Promise.resolve();
  }

  save(tx: Tx, { id, url, ca, createdBy, createdAt }: Parameters<CollectorStore['save']>[1]): Promise<void> {
    const before = this.#of(tx);
    const none = { token: null, hasToken: false, sentAt: null, error: null, errorAt: null };
    if (before === null) this.#rows.of(tx).set(id, { id, url, ca, createdBy, createdAt, ...none });
    else this.#rows.of(tx).set(id, { ...before, url, ca, ...(before.url === url ? {} : none) });
    return Promise.resolve();
  }

  remove(tx: Tx): Promise<void> {
    this.#rows.of(tx).clear();
    return Promise.resolve();
  }

  saveToken(tx: Tx, _id: SiemCollectorId, token: string | null): Promise<void> {
    return this.#change(tx, { token });
  }

  token(tx: Tx): Promise<string | null> {
    return Promise.resolve(this.#of(tx)?.token ?? null);
  }

  note(tx: Tx, { url }: Collector, error: string | null): Promise<void> {
    if (this.#of(tx)?.url !== url) return Promise.resolve();
    const { now } = this.database;
    return this.#change(tx, error === null ? { sentAt: now, error, errorAt: null } : { error, errorAt: now });
  }

  #of(tx: Tx): Row | null {
    const [row] = this.#rows.of(tx).values();
    return row ?? null;
  }

  #change(tx: Tx, changes: Partial<Row>): Promise<void> {
    const row = this.#of(tx);
    if (row !== null) this.#rows.of(tx).set(row.id, { ...row, ...changes });
    return Promise.resolve();
  }
}
