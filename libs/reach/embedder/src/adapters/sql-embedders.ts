import { IsNull, Not } from 'typeorm';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import { ok, type EmbedderId, type Result, type Tx } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { EmbedderStore } from '../application/embedder.ports.js';
import type { Embedder } from '../domain/embedder.js';
import { embedderEntity } from './embedder.entity.js';

/** Embedders in PostgreSQL, each token encrypted for its row (T32). A rotation of the master key takes them along. */
export class SqlEmbedders implements EmbedderStore, SealedElsewhere {
  constructor(private readonly wrapping: KeyWrapping) {}

  async find(tx: Tx): Promise<Embedder | null> {
    const row = await rowsOf(tx, embedderEntity).findOne({});
    return row === null ? null : shown(row);
  }

  async lockForChange(tx: Tx): Promise<void> {
    await sqlOf(tx).query(`select pg_advisory_xact_lock(hashtextextended('countersign.embedder/' || $1::text, 0))`, [
      tx.tenantId,
    ]);
  }

  async save(tx: Tx, { id, createdBy, createdAt, ...set }: Parameters<EmbedderStore['save']>[1]): Promise<void> {
    const rows = rowsOf(tx, embedderEntity);
    const before = await rows.findOne({ id });
    const anew = { least: null, answeredAt: null, error: null, errorAt: null, failures: 0, nextAt: await tx.now() };
    const without = { keyId: null, nonce: null, ciphertext: null };
    if (before === null) {
      await rows.insert({ id, createdBy, createdAt, ...set, ...anew, ...without });
      return;
    }
    await rows.update(
      { id },
      {
        ...set,
        ...(before.generation === set.generation ? {} : anew),
        ...(before.url === set.url ? {} : without),
      },
    );
  }

  async remove(tx: Tx): Promise<void> {
    await rowsOf(tx, embedderEntity).delete({});
  }

  async saveToken(tx: Tx, id: EmbedderId, token: string | null): Promise<void> {
    const wrapped =
      token === null
        ? { keyId: null, nonce: null, ciphertext: null }
        : await this.wrapping.wrap(purpose(tx, id), Buffer.from(token));
    await rowsOf(tx, embedderEntity).update({ id }, wrapped);
  }

  async token(tx: Tx, id: EmbedderId): Promise<string | null> {
    const row = await rowsOf(tx, embedderEntity).findOne({ id });
    const { keyId = null, nonce = null, ciphertext = null } = row ?? {};
    if (keyId === null || nonce === null || ciphertext === null) return null;
    const opened = await this.wrapping.unwrap(purpose(tx, id), { keyId, nonce, ciphertext });
    return Buffer.from(opened).toString('utf8');
  }

  async saveLeast(tx: Tx, { id, generation }: Pick<Embedder, 'id' | 'generation'>, least: number): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id, generation }, { least });
  }

  async claim(tx: Tx, id: EmbedderId, forMs: number): Promise<Embedder | null> {
    const row = await rowsOf(tx, embedderEntity).findOne({ id }, { lock: 'update' });
    if (row === null || row.nextAt > (await tx.now())) return null;
    await this.rest(tx, id, forMs);
    return shown(row);
  }

  async rest(tx: Tx, id: EmbedderId, forMs: number): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id }, { nextAt: (await tx.now()) + forMs });
  }

  async countFailure(tx: Tx, id: EmbedderId): Promise<number> {
    const row = await rowsOf(tx, embedderEntity).findOne({ id }, { lock: 'update' });
    const failures = (row?.failures ?? 0) + 1;
    await rowsOf(tx, embedderEntity).update({ id }, { failures });
    return failures;
  }

  async lookNow(tx: Tx, id: EmbedderId): Promise<void> {
    await rowsOf(tx, embedderEntity).update({ id }, { nextAt: await tx.now() });
  }

  async note(tx: Tx, { id, generation }: Pick<Embedder, 'id' | 'generation'>, error: string | null): Promise<void> {
    const now = await tx.now();
    const noted =
      error === null ? { answeredAt: now, error: null, errorAt: null, failures: 0 } : { error, errorAt: now };
    await rowsOf(tx, embedderEntity).update({ id, generation }, noted);
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const rows = rowsOf(tx, embedderEntity);
    const stale = await rows.find({ keyId: Not(keyId), ciphertext: Not(IsNull()) }, { limit, lock: 'update' });
    for (const { id } of stale) await this.saveToken(tx, id, await this.token(tx, id));
    return ok(stale.map(({ id }) => `embedder/${id}`));
  }
}

function shown(row: RowOf<typeof embedderEntity>): Embedder {
  const { keyId, nonce: _nonce, ciphertext: _ciphertext, failures: _failures, ...embedder } = row;
  return { ...embedder, hasToken: keyId !== null };
}

const purpose = ({ tenantId }: Tx, id: string): string => `countersign:embedder:v1:${tenantId}:${id}`;
