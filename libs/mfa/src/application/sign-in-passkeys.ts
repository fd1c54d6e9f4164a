import { err, newId, ok, type FactorId, type PersonId, type PersonPrincipal, type Result, type Tx } from '#lib/kernel';
import { isActive, isPasskey, MOST_FACTORS, type Factor, type PasskeyFactor } from '../domain/factor.js';
import { NO_FAILURES } from '../domain/lockout.js';
import {
  challengeSpent,
  counterWentBack,
  passkeyKnown,
  passkeyRefused,
  passkeysUnavailable,
  proofOfFormer,
  tooManyFactors,
} from '../domain/refusals.js';
import { STEP_UP_MS } from '../domain/step-up.js';
import type { CheckCode } from './check-code.js';
import type { FactorEnrolled } from './enrol-totp.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorHolders,
  FactorRepository,
  LockoutRepository,
  PasskeyOptions,
  PasskeyRegistrationRepository,
  Passkeys,
  RecoveryCodeRepository,
  StepUpRepository,
} from './mfa.ports.js';
import type { RecoveryCodeIssuer } from './recovery-code-issuer.js';

/** What somebody proves who has factors already and registers another passkey to come in with. */
export interface FormerFactorProof {
  readonly method: 'totp' | 'recovery_code';
  readonly code: string;
}

export interface SignInPasskeyParts {
  readonly holders: FactorHolders;
  readonly factors: FactorRepository;
  readonly lockouts: LockoutRepository;
  readonly codes: RecoveryCodeRepository;
  readonly stepUps: StepUpRepository;
  readonly registrations: PasskeyRegistrationRepository;
  readonly passkeys: Passkeys;
  readonly check: CheckCode;
  readonly recovery: RecoveryCodeIssuer;
  readonly journal: FactorJournal;
}

/**
 * The passkeys by which people come in whom no issuer knows: the same factor rows that prove a step-up. Every method works in
 * the transaction of the sign-in that asks, which has decided whether somebody may come in at all.
 */
export class SignInPasskeys {
  constructor(private readonly parts: SignInPasskeyParts) {}

  /** Whether browsers give passkeys to the address of this installation. */
  get available(): boolean {
    return this.parts.passkeys.available;
  }

  /** The passkeys and other factors that count now. */
  async activeOf(tx: Tx, personId: PersonId): Promise<readonly Factor[]> {
    return (await this.parts.factors.list(tx, personId)).filter(isActive);
  }

  /** What a browser is asked to make a passkey with; good for one answer within five minutes. */
  async offer(tx: Tx, personId: PersonId): Promise<Result<PasskeyOptions>> {
    const { passkeys, lockouts, holders, registrations } = this.parts;
    if (!passkeys.available) return err(passkeysUnavailable);
    await lockouts.lock(tx, personId);
    const holder = await holders.find(tx, personId);
    if (holder === null) throw new Error(`person ${personId} was locked and is not there`);
    const factors = await this.activeOf(tx, personId);
    if (factors.length >= MOST_FACTORS) return err(tooManyFactors);
    const options = await passkeys.registrationOptions(holder, factors.filter(isPasskey));
    const createdAt = await tx.now();
    // Whoever looks again and again keeps one challenge, not a row for each look.
    await registrations.spend(tx, personId, createdAt);
    await registrations.insert(tx, {
      personId,
      challenge: options.challenge,
      createdAt,
      expiresAt: createdAt + STEP_UP_MS,
    });
    // A sign-in names nobody: the passkey has to say itself whose it is.
    const selection = { residentKey: 'required', requireResidentKey: true, userVerification: 'required' };
    return ok({ ...options, authenticatorSelection: selection });
  }

  /**
   * Registers the passkey that answered. Somebody who has factors proves one of them, or a recovery code.
   *
   * Failures, which are to be committed: `mfa.challenge_spent`, `mfa.passkey_refused`, `mfa.passkey_known`, `mfa.proof_of_former`,
   * `mfa.code_wrong`, `mfa.locked`.
   */
  async register(
    tx: Tx,
    by: PersonPrincipal,
    answered: { readonly name: string; readonly answer: unknown; readonly proof: FormerFactorProof | null },
  ): Promise<Result<FactorEnrolled<PasskeyFactor>>> {
    const { passkeys, registrations, factors, recovery, journal } = this.parts;
    const lockout = await this.parts.lockouts.lock(tx, by.personId);
    const now = await tx.now();
    const active = await this.activeOf(tx, by.personId);
    if (active.length > 0) {
      if (answered.proof === null) return err(proofOfFormer);
      const check = { by, code: answered.proof.code, lockout, now };
      const proved =
        answered.proof.method === 'totp'
          ? await this.parts.check.ofTotp(tx, check, active)
          : await this.parts.check.ofRecovery(tx, check);
      if (!proved.ok) return proved;
    }
    const challenges = await registrations.spend(tx, by.personId, now);
    if (challenges.length === 0) return err(challengeSpent);
    const shown = await passkeys.verifyRegistration(answered.answer, challenges);
    if (shown === null) return err(passkeyRefused);
    if (await factors.passkeyKnown(tx, shown.passkeyId)) return err(passkeyKnown);
    const factor: PasskeyFactor = {
      ...shown,
      id: newId<FactorId>(),
      kind: 'passkey',
      state: 'active',
      personId: by.personId,
      name: answered.name,
      createdAt: now,
      confirmedAt: now,
      lastUsedAt: null,
    };
    await factors.insert(tx, factor);
    await journal.factor(tx, 'factor.enrolled', by, factor);
    return ok({ factor, recoveryCodes: await recovery.issueFirst(tx, by.personId, now) });
  }

  /**
   * The passkey that signed the challenge, with its counter taken down.
   *
   * Failures, which the caller records: `mfa.passkey_refused`, `mfa.passkey_counter`.
   */
  async assert(
    tx: Tx,
    personId: PersonId,
    answer: { readonly id: string },
    challenge: string,
  ): Promise<Result<PasskeyFactor>> {
    const { lockouts, factors, passkeys } = this.parts;
    await lockouts.lock(tx, personId);
    const known = (await this.activeOf(tx, personId)).filter(isPasskey);
    const passkey = known.find(({ passkeyId }) => passkeyId === answer.id);
    if (passkey === undefined) return err(passkeyRefused);
    const shown = await passkeys.verifyAssertion(answer, challenge, passkey);
    if (shown === null) return err(passkeyRefused);
    // As at a step-up: a passkey that counts at all counts up (WebAuthn section 6.1.1).
    const counts = shown.counter > 0 || passkey.counter > 0;
    if (counts && shown.counter <= passkey.counter) return err(counterWentBack);
    const used: PasskeyFactor = {
      ...passkey,
      counter: shown.counter,
      backedUp: shown.backedUp,
      lastUsedAt: await tx.now(),
    };
    await factors.saveUse(tx, used);
    return ok(used);
  }

  /** Takes every factor away from somebody whom the operator lets in again. @returns how many there were. */
  async forget(tx: Tx, by: PersonPrincipal): Promise<number> {
    const { lockouts, factors, codes, stepUps, journal } = this.parts;
    await lockouts.lock(tx, by.personId);
    const now = await tx.now();
    const all = await factors.list(tx, by.personId);
    for (const factor of all) {
      await factors.remove(tx, factor.id, now);
      await journal.factor(tx, 'factor.removed', by, factor, { why: 'let in by the operator' });
    }
    await codes.replace(tx, by.personId, [], now);
    await stepUps.expireProofs(tx, by.personId, now);
    await lockouts.save(tx, by.personId, NO_FAILURES);
    return all.length;
  }
}
