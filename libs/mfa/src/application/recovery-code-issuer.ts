import type { PersonId, Tx } from '#lib/kernel';
import {
  RECOVERY_CODE_CHARACTERS,
  RECOVERY_CODES,
  recoveryCodeDigest,
  recoveryCodeOf,
} from '../domain/recovery-codes.js';
import type { RandomSource, RecoveryCodeRepository } from './mfa.ports.js';

/** Makes recovery codes; what it returns is shown once, and only digests are kept. */
export class RecoveryCodeIssuer {
  constructor(
    private readonly codes: RecoveryCodeRepository,
    private readonly random: RandomSource,
  ) {}

  /** New ones in place of all that are left. */
  async issue(tx: Tx, personId: PersonId, now: number): Promise<readonly string[]> {
    const shown = Array.from({ length: RECOVERY_CODES }, () =>
      recoveryCodeOf(this.random.bytes(RECOVERY_CODE_CHARACTERS)),
    );
    await this.codes.replace(
      tx,
      personId,
      shown.map((code) => recoveryCodeDigest(personId, code)),
      now,
    );
    return shown;
  }

  /** The first ones, with a first factor; null where there are some already. */
  async issueFirst(tx: Tx, personId: PersonId, now: number): Promise<readonly string[] | null> {
    const left = await this.codes.unused(tx, personId);
    return left.length > 0 ? null : this.issue(tx, personId, now);
  }
}
