import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '#lib/canonical';
import type { RowSeals, SealedRow } from '#lib/kernel';
import { rowSealPurpose, type DerivedKey, type DerivedKeys } from './derived-keys.js';

/** The key's id and the HMAC-SHA-256 in base64url, as the tables' constraints have it. */
const SPELLING = /^([^.]{1,64})\.([A-Za-z0-9_-]{43})$/;

/**
 * Seals under keys of the keyring; each names its key, so that a new one leaves older seals good. Each tenant has its own, so
 * that the installation to which it moves can check its rows and no others.
 */
export class KeyringRowSeals implements RowSeals {
  constructor(
    private readonly keys: DerivedKeys,
    private readonly broken: (row: SealedRow) => void,
  ) {}

  async seal(row: SealedRow): Promise<string> {
    const key = await this.keys.current(rowSealPurpose(row.tenantId));
    return `${key.id}.${macOf(key, row).toString('base64url')}`;
  }

  async holds(row: SealedRow, seal: string | null): Promise<boolean> {
    const [, id, mac] = SPELLING.exec(seal ?? '') ?? [];
    const keys = id === undefined ? [] : await this.keys.byId(id, rowSealPurpose(row.tenantId));
    const right =
      mac !== undefined &&
      keys.some((key) => timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, row).toString('base64url'))));
    if (!right) this.broken(row);
    return right;
  }
}

/** Table, tenant and id are inside: a seal is good at one place only. */
function macOf({ key }: DerivedKey, { table, tenantId, id, columns }: SealedRow): Buffer {
  const text = canonicalJson({ table, tenant_id: tenantId, id, columns });
  return createHmac('sha256', key).update('countersign:row-seal:v1\n', 'utf8').update(text, 'utf8').digest();
}
