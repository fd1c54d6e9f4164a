import { randomBytes } from 'node:crypto';
import type { RowSeals, SealedRow } from '#lib/kernel';
import { DerivedKeys, KeyringRowSeals, type Keyring } from '#lib/tenancy';

/** A keyring of one key, that lives as long as the test. */
function keyringOf(key = randomBytes(32)): Keyring {
  return {
    current: () => Promise.resolve({ id: 'k1', key }),
    byId: (id) => Promise.resolve(id === 'k1' ? key : undefined),
    ring: () => Promise.resolve({ current: 'k1', keys: new Map([['k1', key]]) }),
  };
}

/** Seals with a key of the test's own. @param broken hears of each that does not hold. */
export const testSeals = (broken: (row: SealedRow) => void = () => undefined): RowSeals =>
  new KeyringRowSeals(new DerivedKeys(keyringOf()), broken);
