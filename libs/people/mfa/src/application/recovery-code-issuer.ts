import type { PersonId, SecretDigests, Tx } from '#lib/kernel';
import {
  RECOVERY_CODE_CHARACTERS,
  RECOVERY_CODES,
  recoveryCodeOf,
  recoveryCodeSecret,
} from '../domain/recovery-codes.js';
import type { RandomSource, RecoveryCodeRepository } from './mfa.ports.js';

/** Makes recovery codes; each is shown once, and only digests are kept. */
export class RecoveryCodeIssuer {
  constructor(
    private readonly codes: RecoveryCodeRepository,
    private readonly digests: SecretDigests,
    private readonly random: RandomSource,
  ) {}

  /** New ones in place of all that are left. */
  async issue(tx: Tx, personId: PersonId, now: number): Promise<readonly string[]> {
    const shown = Array.from({ length: RECOVERY_CODES }, () =>
      recoveryCodeOf(this.random.bytes(RECOVERY_CODE_CHARACTERS)),
    );
    const digests = await Promise.all(
      shown.map((code) => this.digests.digest('recovery_code', recoveryCodeSecret(personId, code))),
    );
    await this.codes.replace(tx, personId, digests, now);
    return shown;
  }

  /** The first ones, with a first factor; null if there are some already. */
  async issueFirst(tx: Tx, personId: PersonId, now: number): Promise<readonly string[] | null> {
    const left = await this.codes.unused(tx, personId);
    return left.length > 0 ? null : this.issue(tx, personId, now);
  }
}
