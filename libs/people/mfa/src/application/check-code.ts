import { err, ok, type PersonId, type PersonPrincipal, type Result, type SecretDigests, type Tx } from '#lib/kernel';
import { isTotp, type Factor, type TotpFactor } from '../domain/factor.js';
import { afterWrongCode, NO_FAILURES, secondsLocked, type Lockout } from '../domain/lockout.js';
import { matchRecoveryCode, recoveryCodeSecret } from '../domain/recovery-codes.js';
import { codeWrong, locked } from '../domain/refusals.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorRepository,
  FactorSecrets,
  LockoutRepository,
  RecoveryCodeRepository,
  TotpAlgorithm,
} from './mfa.ports.js';

/** A code, and the person it must belong to. */
export interface CodeToCheck {
  readonly by: PersonPrincipal;
  readonly code: string;
  readonly lockout: Lockout;
  readonly now: number;
}

interface CheckCodeDeps {
  readonly factors: FactorRepository;
  readonly lockouts: LockoutRepository;
  readonly codes: RecoveryCodeRepository;
  readonly totp: TotpAlgorithm;
  readonly secrets: FactorSecrets;
  readonly digests: SecretDigests;
  readonly journal: FactorJournal;
}

/**
 * Checks codes. The caller holds the person's lockout row, so guesses are counted one after another. Of two equal codes at once, one
 * finds the other's step taken (RFC 6238 section 5.2).
 *
 * Failures: `mfa.code_wrong` (counted) and `mfa.locked`; they are to be committed.
 */
export class CheckCode {
  constructor(private readonly deps: CheckCodeDeps) {}

  /** The factor, with the step of this code taken. */
  async ofTotp(tx: Tx, check: CodeToCheck, candidates: readonly Factor[]): Promise<Result<TotpFactor>> {
    const wait = secondsLocked(check.lockout, check.now);
    if (wait !== null) return err(locked(wait));
    for (const factor of candidates.filter(isTotp)) {
      const secret = await this.deps.secrets.open(tx, factor.id, factor.secret);
      if (!secret.ok) return secret;
      const about = { secret: secret.value, now: check.now, after: factor.lastStep };
      const lastStep = await this.deps.totp.stepOf(check.code, about);
      if (lastStep === null) continue;
      const used = { ...factor, lastStep, lastUsedAt: check.now };
      await this.deps.factors.saveUse(tx, used);
      await this.#right(tx, check);
      return ok(used);
    }
    return this.#wrong(tx, check, 'totp');
  }

  async ofRecovery(tx: Tx, check: CodeToCheck): Promise<Result<void>> {
    const wait = secondsLocked(check.lockout, check.now);
    if (wait !== null) return err(locked(wait));
    const { personId } = check.by;
    const unused = await this.deps.codes.unused(tx, personId);
    const presented = await this.deps.digests.candidates('recovery_code', recoveryCodeSecret(personId, check.code));
    const found = matchRecoveryCode(unused, presented);
    if (found === null) return this.#wrong(tx, check, 'recovery_code');
    await this.deps.codes.markUsed(tx, found.id, check.now);
    await this.#right(tx, check);
    return ok(undefined);
  }

  async #right(tx: Tx, { by, lockout }: CodeToCheck): Promise<void> {
    if (lockout.failures > 0) await this.deps.lockouts.save(tx, by.personId, NO_FAILURES);
  }

  async #wrong(tx: Tx, { by, lockout, now }: CodeToCheck, method: 'totp' | 'recovery_code'): Promise<Result<never>> {
    const next = afterWrongCode(lockout, now);
    const personId: PersonId = by.personId;
    await this.deps.lockouts.save(tx, personId, next);
    const wait = secondsLocked(next, now);
    await this.deps.journal.person(tx, wait === null ? 'factor.code_refused' : 'factor.locked', by, personId, {
      method,
      failures: next.failures,
      locked_seconds: wait,
    });
    const failure = codeWrong(method);
    return err(wait === null ? failure : { ...failure, details: { locked_seconds: wait } });
  }
}
