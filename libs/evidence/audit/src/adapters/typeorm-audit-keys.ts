import { IsNull } from 'typeorm';
import { rowsOf, type RowOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { NoteKey } from '#lib/verifier';
import type { AuditKey, AuditKeyHistory } from '../application/audit.ports.js';
import { auditSigningKeyEntity } from './audit.entity.js';

const auditKey = ({ keyName, publicKey, ...validity }: RowOf<typeof auditSigningKeyEntity>): AuditKey => ({
  ...validity,
  name: keyName,
  publicKey: Uint8Array.from(publicKey),
});

/** Public keys of the log in PostgreSQL, present and past. */
export class TypeormAuditKeys implements AuditKeyHistory {
  async current(tx: Tx): Promise<AuditKey | null> {
    const row = await rowsOf(tx, auditSigningKeyEntity).findOne({ validTo: IsNull() });
    return row && auditKey(row);
  }

  async list(tx: Tx): Promise<readonly AuditKey[]> {
    const rows = await rowsOf(tx, auditSigningKeyEntity).find({}, { order: { validFrom: 'ASC', keyName: 'ASC' } });
    return rows.map(auditKey);
  }

  add(tx: Tx, { name, publicKey }: NoteKey, validFrom: number): Promise<void> {
    const key = { keyName: name, publicKey: Buffer.from(publicKey), validFrom, validTo: null };
    return rowsOf(tx, auditSigningKeyEntity).insert(key);
  }

  async retire(tx: Tx, name: string, validTo: number): Promise<void> {
    await rowsOf(tx, auditSigningKeyEntity).update({ keyName: name }, { validTo });
  }
}
