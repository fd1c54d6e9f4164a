import type { Generation } from '#lib/connection';
import type { ConnectionId, Tx } from '#lib/kernel';
import type { FakeConnections } from '../../../connection/src/application/fake-connections.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import { MAX_BATCH_SIZE, type EmbedderWork, type KnownEmbedder, type Turn } from './embedder.ports.js';

interface Row {
  readonly least: number | null;
  readonly batch: number;
  readonly failures: number;
  readonly nextAt: number;
}

/** Keeps the work for the embedder of each tenant in memory. */
export class FakeEmbedderWork implements EmbedderWork {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly connections: FakeConnections<EmbedderSettings>,
  ) {
    this.#rows = new FakeTable(database);
  }

  begin(tx: Tx, id: ConnectionId): Promise<void> {
    this.#rows.of(tx).set(id, { least: null, batch: MAX_BATCH_SIZE, failures: 0, nextAt: this.database.now });
    return Promise.resolve();
  }

  end(tx: Tx): Promise<void> {
    this.#rows.of(tx).clear();
    return Promise.resolve();
  }

  retryNow(tx: Tx, id: ConnectionId): Promise<void> {
    this.#change(tx, id, { failures: 0, nextAt: this.database.now });
    return Promise.resolve();
  }

  async known(tx: Tx): Promise<KnownEmbedder | null> {
    const embedder = await this.connections.find(tx);
    if (embedder === null) return null;
    const { id, generation, error } = embedder;
    const row = this.#rows.of(tx).get(id);
    const { least = null, batch = MAX_BATCH_SIZE, nextAt = this.database.now } = row ?? {};
    return { id, generation, least, batch, nextAt, isFailing: error !== null };
  }

  async saveLeast(tx: Tx, { id, generation }: Generation, least: number): Promise<void> {
    if ((await this.known(tx))?.generation === generation) this.#change(tx, id, { least });
  }

  async saveBatch(tx: Tx, { id, generation }: Generation, batch: number): Promise<void> {
    if ((await this.known(tx))?.generation === generation) this.#change(tx, id, { batch });
  }

  async claim(tx: Tx, id: ConnectionId, forMs: number): Promise<KnownEmbedder | null> {
    const { now } = this.database;
    const row = this.#rows.of(tx).get(id);
    if (row === undefined || row.nextAt > now) return null;
    this.#change(tx, id, { nextAt: now + forMs });
    return this.known(tx);
  }

  rest(tx: Tx, turn: Turn, forMs: number): Promise<void> {
    if (this.#isOf(tx, turn)) this.#change(tx, turn.id, { failures: 0, nextAt: this.database.now + forMs });
    return Promise.resolve();
  }

  restAfterFailure(tx: Tx, turn: Turn, waitOf: (failures: number) => number): Promise<void> {
    if (!this.#isOf(tx, turn)) return Promise.resolve();
    const { id } = turn;
    const failures = (this.#rows.of(tx).get(id)?.failures ?? 0) + 1;
    this.#change(tx, id, { failures, nextAt: this.database.now + waitOf(failures) });
    return Promise.resolve();
  }

  #isOf(tx: Tx, { id, nextAt }: Turn): boolean {
    return this.#rows.of(tx).get(id)?.nextAt === nextAt;
  }

  #change(tx: Tx, id: ConnectionId, changes: Partial<Row>): void {
    const row = this.#rows.of(tx).get(id);
    if (row !== undefined) this.#rows.of(tx).set(id, { ...row, ...changes });
  }
}
