import {
  actorOf,
  err,
  newId,
  ok,
  type FactorId,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
} from '#lib/kernel';
import { isActive, isPasskey, MAX_FACTORS, type Factor, type PasskeyFactor } from '../domain/factor.js';
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
  NewPasskey,
  PasskeyOptions,
  PasskeyRegistrationRepository,
  Passkeys,
} from './mfa.ports.js';
import type { RecoveryCodeIssuer } from './recovery-code-issuer.js';

/** The proof of a former factor, from a person who registers a further passkey to sign in with. */
export interface FormerFactorProof {
  readonly method: 'totp' | 'recovery_code';
  readonly code: string;
}

export interface SignInPasskeyParts {
  readonly holders: FactorHolders;
  readonly factors: FactorRepository;
  readonly lockouts: LockoutRepository;
  readonly registrations: PasskeyRegistrationRepository;
  readonly passkeys: Passkeys;
  readonly check: CheckCode;
  readonly recovery: RecoveryCodeIssuer;
  readonly journal: FactorJournal;
}

/**
 * The passkeys of people unknown to every issuer: the same factor rows that prove a step-up. Every method works in the
 * transaction of the calling sign-in, which has decided whether the person may come in.
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

  /**
   * The options with which a browser makes a passkey; good for one answer within five minutes.
   *
   * @param beside the factors that stay: a device that has one of them makes no other.
   */
  async offer(tx: Tx, personId: PersonId, beside: readonly Factor[]): Promise<Result<PasskeyOptions>> {
    const { passkeys, lockouts, holders, registrations } = this.parts;
    if (!passkeys.available) return err(passkeysUnavailable);
    await lockouts.lock(tx, personId);
    const holder = await holders.find(tx, personId);
    if (holder === null) throw new Error(`person ${personId} was locked and is not there`);
    if (beside.length >= MAX_FACTORS) return err(tooManyFactors);
    const options = await passkeys.registrationOptions(holder, beside.filter(isPasskey));
    const createdAt = await tx.now();
    // Repeated looks keep one challenge, not a row for each look.
    await registrations.spend(tx, personId, createdAt);
    await registrations.insert(tx, {
      personId,
      challenge: options.challenge,
      createdAt,
      expiresAt: createdAt + STEP_UP_MS,
    });
    // A sign-in names no person: the passkey itself has to name its owner.
    const selection = { residentKey: 'required', requireResidentKey: true, userVerification: 'required' };
    return ok({ ...options, authenticatorSelection: selection });
  }

  /**
   * Somebody who has factors proves one of them, or a recovery code, before they register another passkey.
   *
   * Failures, which are to be committed: `mfa.proof_of_former`, `mfa.code_wrong`, `mfa.locked`.
   */
  async proveFormer(tx: Tx, by: PersonPrincipal, proof: FormerFactorProof | null): Promise<Result<void>> {
    const lockout = await this.parts.lockouts.lock(tx, by.personId);
    const active = await this.activeOf(tx, by.personId);
    if (active.length === 0) return ok(undefined);
    if (proof === null) return err(proofOfFormer);
    const check = { by, code: proof.code, lockout, now: await tx.now() };
    const proved =
      proof.method === 'totp'
        ? await this.parts.check.ofTotp(tx, check, active)
        : await this.parts.check.ofRecovery(tx, check);
    return proved.ok ? ok(undefined) : proved;
  }

  /**
   * The new passkey that answered, which uses the offer up.
   *
   * Failures, which are to be committed: `mfa.challenge_spent`, `mfa.passkey_refused`, `mfa.passkey_known`.
   */
  async answered(tx: Tx, personId: PersonId, answer: unknown): Promise<Result<NewPasskey>> {
    const { passkeys, registrations, factors, lockouts } = this.parts;
    await lockouts.lock(tx, personId);
    const challenges = await registrations.spend(tx, personId, await tx.now());
    if (challenges.length === 0) return err(challengeSpent);
    const shown = await passkeys.verifyRegistration(answer, challenges);
    if (shown === null) return err(passkeyRefused);
    return (await factors.passkeyKnown(tx, shown.passkeyId)) ? err(passkeyKnown) : ok(shown);
  }

  /** Registers a passkey that {@link answered}, with recovery codes for somebody who has none. */
  async add(
    tx: Tx,
    by: PersonPrincipal,
    shown: NewPasskey & { readonly name: string },
  ): Promise<FactorEnrolled<PasskeyFactor>> {
    const now = await tx.now();
    const factor: PasskeyFactor = {
      ...shown,
      id: newId<FactorId>(),
      kind: 'passkey',
      state: 'active',
      personId: by.personId,
      createdAt: now,
      confirmedAt: now,
      lastUsedAt: null,
    };
    await this.parts.factors.insert(tx, factor);
    await this.parts.journal.factor(tx, 'factor.enrolled', actorOf(by), factor);
    return { factor, recoveryCodes: await this.parts.recovery.issueFirst(tx, by.personId, now) };
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
}
