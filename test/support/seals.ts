import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowSeals, SealedRow } from '#lib/kernel';
import { createKeys, createSeals, type Keyring, type Keys } from '#lib/tenancy';

const key = randomBytes(32);

/** A keyring of one key, that lives as long as the test file. So the parts of its world read one another's rows. */
function testKeyring(): Keyring {
  return {
    current: () => Promise.resolve({ id: 'k1', key }),
    byId: (id) => Promise.resolve(id === 'k1' ? key : null),
    ring: () => Promise.resolve({ current: 'k1', keys: new Map([['k1', key]]) }),
  };
}

/** Seals with a key of the test's own. @param broken hears of each that does not hold. */
export const testSeals = (broken: (row: SealedRow) => void = () => undefined): RowSeals =>
  createSeals(testKeyring(), broken);

/** All services that depend on the same key. */
export const testKeys = (): Keys => createKeys(testKeyring());

/** Leaves the key where an installation with this data folder looks for its keyring. A process of its own then reads the rows. */
export function keepTestKeyring(dataFolder: string): void {
  const folder = join(dataFolder, 'keys');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keyring = { current: 'k1', keys: { k1: key.toString('base64') } };
  writeFileSync(join(folder, 'keyring.json'), JSON.stringify(keyring), { mode: 0o600 });
}
