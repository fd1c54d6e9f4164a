import { rowsOf, type RowOf } from '#lib/database';
import type { ConnectionId, Tx } from '#lib/kernel';
import type { Generation } from '#lib/connection';
import { MAX_BATCH_SIZE, type EmbedderWork, type KnownEmbedder, type Turn } from '../application/embedder.ports.js';
import { embedderEntity } from './embedder.entity.js';

/** The work for embedders, in the rows of their connections. */
export class TypeormEmbedderWork implements EmbedderWork {
  async begin(tx: Tx, id: ConnectionId): Promise<void> {
    await rowsOf(tx, embedderEntity).update(
      { id },
      { least: null, batch: MAX_BATCH_SIZE, failures: 0, nextAt: await tx.now() },
    );
  }

  end(): Promise<void> {
    // Its row is gone, and a trigger deletes its vectors.
    return Promise.resolve();
  }

  async retryNow(tx: Tx, id: ConnectionId): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id }, { failures: 0, nextAt: await tx.now() });
  }

  async known(tx: Tx): Promise<KnownEmbedder | null> {
    const row = await rowsOf(tx, embedderEntity).findOne({});
    return row === null ? null : knownIn(row);
  }

  async saveLeast(tx: Tx, { id, generation }: Generation, least: number): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id, generation }, { least });
  }

  async saveBatch(tx: Tx, { id, generation }: Generation, batch: number): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id, generation }, { batch });
  }

  async claim(tx: Tx, id: ConnectionId, forMs: number): Promise<KnownEmbedder | null> {
    const now = await tx.now();
    const row = await rowsOf(tx, embedderEntity).findOne({ id }, { lock: 'update' });
    if (row === null || row.nextAt > now) return null;
    const nextAt = now + forMs;
    await rowsOf(tx, embedderEntity).update({ id }, { nextAt });
    return knownIn({ ...row, nextAt });
  }

  async rest(tx: Tx, { id, nextAt }: Turn, forMs: number): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id, nextAt }, { failures: 0, nextAt: (await tx.now()) + forMs });
  }

  async restAfterFailure(tx: Tx, { id, nextAt }: Turn, waitOf: (failures: number) => number): Promise<void> {
    const row = await rowsOf(tx, embedderEntity).findOne({ id, nextAt }, { lock: 'update' });
    if (row === null) return;
    const failures = row.failures + 1;
    await rowsOf(tx, embedderEntity).update({ id }, { failures, nextAt: (await tx.now()) + waitOf(failures) });
  }
}

const knownIn = ({ id, generation, least, nextAt, batch, error }: RowOf<typeof embedderEntity>): KnownEmbedder => ({
  ...{ id, generation, least, nextAt, batch, isFailing: error !== null },
});
