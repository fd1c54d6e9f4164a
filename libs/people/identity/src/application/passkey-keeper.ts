import type { Actor, FactorId, PersonId, Tx } from '#lib/kernel';

/** Leaves a person one passkey, or none. */
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
   * @param ending.kept null takes all away; `why` is for the record.
   * @returns how many factors were taken away.
   */
  keepOnly(
    tx: Tx,
    personId: PersonId,
    ending: { readonly actor: Actor; readonly kept: FactorId | null; readonly why: string },
  ): Promise<number>;
}
