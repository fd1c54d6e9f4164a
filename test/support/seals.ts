import { randomBytes } from 'node:crypto';
import type { RowSeals, SealedRow } from '#lib/kernel';
import { DerivedKeys, KeyringRowSeals, type Keyring } from '#lib/tenancy';

const key = randomBytes(32);

/** A keyring of one key, that lives as long as the test file: the parts of its world read one another's rows. */
function keyringOf(): Keyring {
  return {
    current: () => Promise.resolve({ id: 'k1', key }),
    byId: (id) => Promise.resolve(id === 'k1' ? key : undefined),
    ring: () => Promise.resolve({ current: 'k1', keys: new Map([['k1', key]]) }),
  };
}

/** Seals with a key of the test's own. @param broken hears of each that does not hold. */
export const testSeals = (broken: (row: SealedRow) => void = () => undefined): RowSeals =>
  new KeyringRowSeals(new DerivedKeys(keyringOf()), broken);
