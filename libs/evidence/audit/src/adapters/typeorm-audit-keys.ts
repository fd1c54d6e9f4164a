import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { NoteKey } from '#lib/verifier';
import type { AuditKey, AuditKeyHistory } from '../application/audit.ports.js';

interface KeyRow {
  readonly key_name: string;
  readonly public_key: Buffer;
  readonly valid_from: Date;
  readonly valid_to: Date | null;
}

const SELECT = 'select key_name, public_key, valid_from, valid_to from audit_signing_key where tenant_id = $1';

const auditKey = (row: KeyRow): AuditKey => ({
  name: row.key_name,
  publicKey: Uint8Array.from(row.public_key),
  validFrom: row.valid_from.getTime(),
  validTo: row.valid_to?.getTime() ?? null,
});

/** Public keys of the log in PostgreSQL, present and past. */
export class SqlAuditKeys implements AuditKeyHistory {
  async current(tx: Tx): Promise<AuditKey | null> {
    const [row] = await sqlOf(tx).query<KeyRow>(`${SELECT} and valid_to is null`, [tx.tenantId]);
    return row ? auditKey(row) : null;
  }

  async list(tx: Tx): Promise<readonly AuditKey[]> {
    const rows = await sqlOf(tx).query<KeyRow>(`${SELECT} order by valid_from, key_name`, [tx.tenantId]);
    return rows.map(auditKey);
  }

  async add(tx: Tx, key: NoteKey, validFrom: number): Promise<void> {
    await sqlOf(tx).query(
      'insert into audit_signing_key (tenant_id, key_name, public_key, valid_from) values ($1, $2, $3, $4)',
      [tx.tenantId, key.name, Buffer.from(key.publicKey), new Date(validFrom)],
    );
  }

  async retire(tx: Tx, name: string, validTo: number): Promise<void> {
    await sqlOf(tx).query('update audit_signing_key set valid_to = $3 where tenant_id = $1 and key_name = $2', [
      tx.tenantId,
      name,
      new Date(validTo),
    ]);
  }
}
