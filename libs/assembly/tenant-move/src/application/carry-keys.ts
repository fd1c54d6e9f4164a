import type { TenantId } from '#lib/kernel';
import { ENCRYPTED_VALUES, type EncryptedValue, type StoredRow } from '../domain/encrypted-values.js';
import type { EncryptedRow, MoveSides, PlainValue, SourceKeys } from './move.ports.js';

/** So many values travel in one message. */
const BATCH = 100;

/**
 * Encrypts every value of the tenant anew, under the target's keyring. Hands over the keys that sign its log and check
 * its rows. A plaintext is in this process and in the receiver's, and between them sealed.
 */
export async function carryKeys({ source, target, keys, receiver }: MoveSides, tenantId: TenantId): Promise<void> {
  await receiver.takeKeys(await keys.keysToHandOver(tenantId));
  for (const name of await source.signingKeys(tenantId))
    await receiver.takeSigningKey(tenantId, name, await keys.signingKey(tenantId, name));
  for (const value of ENCRYPTED_VALUES) {
    const rows = await source.encrypted(tenantId, value);
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      const wrapped = await receiver.wrap(await opened(keys, tenantId, value, batch));
      for (const [index, { row }] of batch.entries()) {
        const anew = wrapped[index];
        if (anew === undefined) throw new Error('The receiver left a value out.');
        await target.rewrap(tenantId, value, row, anew);
      }
    }
  }
}

/** The plaintexts of the source, in the order of the rows. */
export const opened = (
  keys: SourceKeys,
  tenantId: TenantId,
  value: EncryptedValue,
  rows: readonly EncryptedRow[],
): Promise<PlainValue[]> =>
  Promise.all(
    rows.map(async ({ row, wrapped }) => {
      const purpose = value.purpose(tenantId, row);
      return { purpose, plain: await keys.open(purpose, wrapped) };
    }),
  );

/** Names a row of a table, on both sides alike. */
export const nameOf = ({ key }: EncryptedValue, row: StoredRow): string =>
  key.map((column) => String(row[column])).join(' ');
