import type { EmbedderId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Embedder } from '../domain/embedder.js';
import type { EmbedderStore } from './embedder.ports.js';

type Row = Embedder & { readonly token: string | null; readonly failures: number; readonly nextAt: number };

/** Keeps the embedder of each tenant in memory. */
export class FakeEmbedders implements EmbedderStore {
  readonly #rows: FakeTable<Row>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  find(tx: Tx): Promise<Embedder | null> {
    const row = this.#of(tx);
    if (row === null) return Promise.resolve(null);
    return Promise.resolve(shown(row));
  }

  lockForChange(): Promise<void> {
    return Promise.resolve();
  }

  save(tx: Tx, saved: Parameters<EmbedderStore['save']>[1]): Promise<void> {
    const before = this.#of(tx);
    const none = { least: null, answeredAt: null, error: null, errorAt: null, failures: 0, nextAt: this.database.now };
    const without = { token: null, hasToken: false };
    this.#rows.of(tx).set(saved.id, {
      ...(before ?? { ...none, ...without }),
      ...(before === null || before.generation === saved.generation ? {} : none),
      ...(before === null || before.url === saved.url ? {} : without),
      ...saved,
    });
    return Promise.resolve();
  }

  remove(tx: Tx): Promise<void> {
    this.#rows.of(tx).clear();
    return Promise.resolve();
  }

  saveToken(tx: Tx, _id: EmbedderId, token: string | null): Promise<void> {
    return this.#change(tx, { token });
  }

  token(tx: Tx): Promise<string | null> {
    return Promise.resolve(this.#of(tx)?.token ?? null);
  }

  saveLeast(tx: Tx, { generation }: Pick<Embedder, 'id' | 'generation'>, least: number): Promise<void> {
    return this.#of(tx)?.generation === generation ? this.#change(tx, { least }) : Promise.resolve();
  }

  async claim(tx: Tx, id: EmbedderId, forMs: number): Promise<Embedder | null> {
    const row = this.#of(tx);
    if (row?.id !== id || row.nextAt > this.database.now) return null;
    await this.rest(tx, id, forMs);
    return shown(row);
  }

  rest(tx: Tx, _id: EmbedderId, forMs: number): Promise<void> {
    return this.#change(tx, { nextAt: this.database.now + forMs });
  }

  async countFailure(tx: Tx): Promise<number> {
    const failures = (this.#of(tx)?.failures ?? 0) + 1;
    await this.#change(tx, { failures });
    return failures;
  }

  lookNow(tx: Tx, id: EmbedderId): Promise<void> {
    return this.rest(tx, id, 0);
  }

  note(tx: Tx, { generation }: Pick<Embedder, 'id' | 'generation'>, error: string | null): Promise<void> {
    if (this.#of(tx)?.generation !== generation) return Promise.resolve();
    const { now } = this.database;
    return this.#change(
      tx,
      error === null ? { answeredAt: now, error, errorAt: null, failures: 0 } : { error, errorAt: now },
    );
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

const shown = ({ token, failures: _failures, ...embedder }: Row): Embedder => ({
  ...embedder,
  hasToken: token !== null,
});
