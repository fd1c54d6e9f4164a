import type { TenantId, Tx } from '#lib/kernel';
import type { NoteKey, NoteSigner } from '#lib/verifier';
import type { AuditKeyHistory, SigningKeyStore } from './audit.ports.js';

/** The signer of the tenant's current key; the tenant's first key is made here. Call it under the tree's lock. */
export async function currentSigner(
  tx: Tx,
  keys: AuditKeyHistory,
  keyStore: SigningKeyStore,
  now: number,
): Promise<NoteSigner> {
  const key = (await keys.current(tx)) ?? (await addKey(tx, keys, keyStore, now));
  const signer = await keyStore.signer(tx.tenantId, key);
  if (signer === null) {
    throw new Error(
      `The private half of the audit key "${key.name}" is not in this process's state directory. Restore it from its backup, or rotate the key.`,
    );
  }
  return signer;
}

/** Makes the next key and enters it into the history as the one that signs. */
export async function addKey(tx: Tx, keys: AuditKeyHistory, keyStore: SigningKeyStore, now: number): Promise<NoteKey> {
  // The time keeps a name from coming back if an earlier attempt, or a database since restored, has used it.
  const key = await keyStore.create(tx.tenantId, `${prefixOf(tx.tenantId)}${String(now)}`);
  await keys.add(tx, key, now);
  return key;
}

const prefixOf = (tenantId: TenantId): string => `countersign/${tenantId}/audit-`;

/** Whether a key of the tenant can have this name. */
export const isKeyNameOf = (tenantId: TenantId, name: string): boolean =>
  name.startsWith(prefixOf(tenantId)) && /^[0-9]+$/.test(name.slice(prefixOf(tenantId).length));
