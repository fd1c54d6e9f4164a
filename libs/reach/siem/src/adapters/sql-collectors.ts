import { IsNull, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { ok, type Result, type SiemCollectorId, type Tx } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { CollectorStore } from '../application/siem.ports.js';
import type { Collector } from '../domain/collector.js';
import { siemCollectorEntity } from './siem.entity.js';

/** Collectors in PostgreSQL, each token encrypted for its row (T32). A rotation of the master key takes them along. */
export class SqlCollectors implements CollectorStore, SealedElsewhere {
  constructor(private readonly wrapping: KeyWrapping) {}

  async find(tx: Tx): Promise<Collector | null> {
    const row = await rowsOf(tx, siemCollectorEntity).findOne({});
    if (row === null) return null;
    const { keyId, nonce: _nonce, ciphertext: _ciphertext, ...collector } = row;
    return { ...collector, hasToken: keyId !== null };
  }

  async lockForChange(tx: Tx): Promise<void> {
    await sqlOf(tx).query(
      `select pg_advisory_xact_lock(hashtextextended('countersign.siem_collector/' || $1::text, 0))`,
      [tx.tenantId],
    );
  }

  async save(tx: Tx, { id, url, ca, createdBy, createdAt }: Parameters<CollectorStore['save']>[1]): Promise<void> {
    const rows = rowsOf(tx, siemCollectorEntity);
    const before = await rows.findOne({ id });
    const none = { keyId: null, nonce: null, ciphertext: null, sentAt: null, error: null, errorAt: null };
    if (before === null) await rows.insert({ id, url, ca, createdBy, createdAt, ...none });
    else await rows.update({ id }, { url, ca, ...(before.url === url ? {} : none) });
  }

  async remove(tx: Tx): Promise<void> {
    await rowsOf(tx, siemCollectorEntity).delete({});
  }

  async saveToken(tx: Tx, id: SiemCollectorId, token: string | null): Promise<void> {
    const wrapped =
      token === null
        ? { keyId: null, nonce: null, ciphertext: null }
        : await this.wrapping.wrap(purpose(tx, id), Buffer.from(token));
    await rowsOf(tx, siemCollectorEntity).update({ id }, wrapped);
  }

  async token(tx: Tx, id: SiemCollectorId): Promise<string | null> {
    const row = await rowsOf(tx, siemCollectorEntity).findOne({ id });
    const { keyId = null, nonce = null, ciphertext = null } = row ?? {};
    if (keyId === null || nonce === null || ciphertext === null) return null;
    const opened = await this.wrapping.unwrap(purpose(tx, id), { keyId, nonce, ciphertext });
    return Buffer.from(opened).toString('utf8');
  }

  async note(tx: Tx, { id, url }: Collector, error: string | null): Promise<void> {
    const now = await tx.now();
    const noted = error === null ? { sentAt: now, error: null, errorAt: null } : { error, errorAt: now };
    await rowsOf(tx, siemCollectorEntity).update({ id, url }, noted);
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const rows = rowsOf(tx, siemCollectorEntity);
    const stale = await rows.find({ keyId: Not(keyId), ciphertext: Not(IsNull()) }, { limit, lock: 'update' });
    for (const { id } of stale) await this.saveToken(tx, id, await this.token(tx, id));
    return ok(stale.map(({ id }) => `siem_collector/${id}`));
  }
}

const purpose = ({ tenantId }: Tx, id: string): string => `countersign:siem:v1:${tenantId}:${id}`;
