import { fail, type TenantId } from '#lib/kernel';
import { ENCRYPTED_VALUES } from '../domain/encrypted-values.js';
import { nameOf, opened } from './carry-keys.js';
import * as refusals from './move-refusals.js';
import type { MoveSides } from './move.ports.js';

/**
 * Compares every table of the tenant on both sides, and the tree of the audit log. Encrypted values are compared by
 * their plaintexts.
 *
 * @param salt random and secret, so that no digest tells anything of a row.
 * @returns the epoch of the log that ends here; 0 if it has none yet.
 * @throws {FailureError} `tenant_move.different`.
 */
export async function compareCells(
  { source, target, keys, receiver }: MoveSides,
  tenantId: TenantId,
  salt: Uint8Array,
): Promise<number> {
  // At once, since the tenant is frozen meanwhile.
  const [here, there] = await Promise.all([source.digests(tenantId, salt), target.digests(tenantId, salt)]);
  const different = [...new Set([...here.keys(), ...there.keys()])].filter((table) => {
    const [ours, theirs] = [here.get(table), there.get(table)];
    return ours === undefined || ours.rows !== theirs?.rows || ours.digest !== theirs.digest;
  });
  for (const value of ENCRYPTED_VALUES) {
    const [ours, theirs] = [await source.encrypted(tenantId, value), await target.encrypted(tenantId, value)];
    const digests = await receiver.digests(
      theirs.map(({ row, wrapped }) => ({ purpose: value.purpose(tenantId, row), wrapped })),
    );
    const arrived = new Map(theirs.map(({ row }, index) => [nameOf(value, row), digests[index]]));
    const plain = await opened(keys, tenantId, value, ours);
    const equal = plain.every((known, index) => {
      const row = ours[index]?.row ?? {};
      return arrived.get(nameOf(value, row)) === receiver.digest(known);
    });
    if (!equal || ours.length !== theirs.length) different.push(value.table);
  }
  const [head, copied] = [await source.treeHead(tenantId), await target.treeHead(tenantId)];
  if (head?.root !== copied?.root || head?.size !== copied?.size || head?.epoch !== copied?.epoch)
    different.push('the tree of the audit log');
  if (different.length > 0) return fail(refusals.different([...new Set(different)]));
  return head?.epoch ?? 0;
}
