import type { FactorId, PersonId } from './ids.js';
import type { PersonPrincipal } from './principal.js';
import type { Tx } from './unit-of-work.js';

/** Leaves a person the one passkey that somebody compared with them. */
export interface PasskeyKeeper {
  /**
   * Locks the factors of the person until the transaction ends.
   *
   * @param fingerprint of the passkey, as the approver keys show it.
   * @returns the passkey that counts and has it; null if none has.
   */
  find(tx: Tx, personId: PersonId, fingerprint: string): Promise<FactorId | null>;
  /**
   * Takes every other factor away, and with them the recovery codes, unused proofs and registrations that are under way.
   *
   * @returns how many factors were taken away.
   */
  keepOnly(tx: Tx, by: PersonPrincipal, personId: PersonId, kept: FactorId): Promise<number>;
}

/** Nest's injection token of {@link PasskeyKeeper}. */
export const PASSKEY_KEEPER = Symbol('PasskeyKeeper');
