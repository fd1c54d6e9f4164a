import { IsNull, Not } from 'typeorm';
import { lockName, rowsOf, type Entity } from '#lib/database';
import { ok, type ConnectionId, type Result, type Tx } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { ConnectionStore, SavedConnection } from '../application/connection.ports.js';
import type { Connection, ConnectionKind, Generation, KindSettings } from '../domain/connection.js';
import type { ConnectionRow } from './connection-columns.js';

const NO_TOKEN = { keyId: null, nonce: null, ciphertext: null };
const NO_ANSWER = { answeredAt: null, error: null, errorAt: null };

/** Connections in the table of their kind, each token encrypted for its row (T32). A rotation of the master key takes them along. */
export class TypeormConnections<S extends KindSettings> implements ConnectionStore<S>, SealedElsewhere {
  /** @param table its further columns have defaults, or are settings of the kind. */
  constructor(
    private readonly kind: Pick<ConnectionKind<S>, 'kind' | 'family' | 'settings'>,
    private readonly table: Entity<ConnectionRow>,
    private readonly wrapping: KeyWrapping,
  ) {}

  async find(tx: Tx): Promise<Connection<S> | null> {
    const row = await rowsOf(tx, this.table).findOne({});
    if (row === null) return null;
    const { id, keyId, generation, answeredAt, error, errorAt, createdBy, createdAt } = row;
    const state = { id, hasToken: keyId !== null, generation, answeredAt, error, errorAt, createdBy, createdAt };
    return { ...this.kind.settings.parse(row), ...state };
  }

  async lockForChange(tx: Tx): Promise<void> {
    await lockName(tx, `countersign.${this.kind.kind}/${tx.tenantId}`);
  }

  async save(tx: Tx, { settings, ...saved }: SavedConnection<S>): Promise<void> {
    const { id, generation } = saved;
    const rows = rowsOf(tx, this.table);
    const before = await rows.findOne({ id });
    if (before === null) {
      await rows.insert({ ...settings, ...saved, ...NO_TOKEN, ...NO_ANSWER });
      return;
    }
    const another = before.generation === generation ? {} : NO_ANSWER;
    await rows.update(
      { id },
      { ...settings, generation, ...another, ...(before.url === settings.url ? {} : NO_TOKEN) },
    );
  }

  async remove(tx: Tx): Promise<void> {
    await rowsOf(tx, this.table).delete({});
  }

  async saveToken(tx: Tx, id: ConnectionId, token: string | null): Promise<void> {
    const wrapped = token === null ? NO_TOKEN : await this.wrapping.wrap(this.#purpose(tx, id), Buffer.from(token));
    await rowsOf(tx, this.table).update({ id }, wrapped);
  }

  async token(tx: Tx, id: ConnectionId): Promise<string | null> {
    const row = await rowsOf(tx, this.table).findOne({ id });
    const { keyId = null, nonce = null, ciphertext = null } = row ?? {};
    if (keyId === null || nonce === null || ciphertext === null) return null;
    const opened = await this.wrapping.unwrap(this.#purpose(tx, id), { keyId, nonce, ciphertext });
    return Buffer.from(opened).toString('utf8');
  }

  async note(tx: Tx, { id, generation }: Generation, error: string | null): Promise<void> {
    const now = await tx.now();
    const noted = error === null ? { answeredAt: now, error: null, errorAt: null } : { error, errorAt: now };
    await rowsOf(tx, this.table).update({ id, generation }, noted);
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const rows = rowsOf(tx, this.table);
    const stale = await rows.find({ keyId: Not(keyId), ciphertext: Not(IsNull()) }, { limit, lock: 'update' });
    for (const { id } of stale) await this.saveToken(tx, id, await this.token(tx, id));
    return ok(stale.map(({ id }) => `${this.kind.kind}/${id}`));
  }

  #purpose({ tenantId }: Tx, id: ConnectionId): string {
    return `countersign:${this.kind.family}:v1:${tenantId}:${id}`;
  }
}
