import type { Keyring, MovedKey } from '../application/tenancy.ports.js';
import { derivedBytes, DIGEST_PURPOSE, rowSealPurpose } from './derived-keys.js';

/**
 * The keys that another installation needs for a tenant that moves there. With them it checks the seals of the tenant's
 * rows, and finds its tokens by their digests. None of them is a master key, opens anything encrypted, or seals a row
 * of another tenant.
 */
export async function keysToHandOver(keyring: Keyring, tenantId: string): Promise<readonly MovedKey[]> {
  const { keys, moved = [] } = await keyring.ring();
  const purposes = [rowSealPurpose(tenantId), DIGEST_PURPOSE];
  return [
    ...[...keys].flatMap(([id, master]) =>
      purposes.map((purpose) => ({ purpose, id, key: derivedBytes(master, purpose) })),
    ),
    // Of a tenant that has moved before.
    ...moved.filter(({ purpose }) => purposes.includes(purpose)),
  ];
}
