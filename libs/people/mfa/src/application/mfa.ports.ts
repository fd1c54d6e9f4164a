import type { FactorId, PersonId, Result, Tx } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import type { Factor, PasskeyFactor, SealedSecret, TotpFactor } from '../domain/factor.js';
import type { Lockout } from '../domain/lockout.js';
import type { EnrolledPasskey } from '../domain/passkey-enrolment.js';
import type { PasskeyAssertion, ProvedStepUp, StepUp, UsedStepUp } from '../domain/step-up.js';

/** The second factors of people. */
export interface FactorRepository {
  insert(tx: Tx, factor: Factor): Promise<void>;
  /** All that are not removed, the oldest first. */
  list(tx: Tx, personId: PersonId): Promise<readonly Factor[]>;
  /** A passkey, also one that was removed: its proofs stay on record. */
  enrolled(tx: Tx, id: FactorId): Promise<EnrolledPasskey | null>;
  /** The passkeys that count, of a person or of everybody, the oldest first. */
  passkeys(tx: Tx, personId: PersonId | null): Promise<readonly EnrolledPasskey[]>;
  /** A pending factor becomes an active one. */
  confirm(tx: Tx, factor: TotpFactor): Promise<void>;
  /** Keeps the traces of a proof: a step, a counter, the time. */
  saveUse(tx: Tx, factor: Factor): Promise<void>;
  /** Also forgets the secret. */
  remove(tx: Tx, id: FactorId, at: number): Promise<void>;
  /** Whether a passkey is anybody's in the tenant, removed ones too. */
  passkeyKnown(tx: Tx, passkeyId: string): Promise<boolean>;
}

/** The row of a person that serialises everything done to their factors. */
export interface LockoutRepository {
  /** Locks it until the transaction ends. */
  lock(tx: Tx, personId: PersonId): Promise<Lockout>;
  save(tx: Tx, personId: PersonId, lockout: Lockout): Promise<void>;
}

/** A recovery code that is good, by the digest of its text. */
export interface UnusedCode {
  readonly id: string;
  readonly digest: Uint8Array;
}

/** The recovery codes of people, each good once. */
export interface RecoveryCodeRepository {
  unused(tx: Tx, personId: PersonId): Promise<readonly UnusedCode[]>;
  /** Withdraws those that were not used, and keeps these. */
  replace(tx: Tx, personId: PersonId, digests: readonly Uint8Array[], at: number): Promise<void>;
  markUsed(tx: Tx, id: string, at: number): Promise<void>;
}

/** Proofs of a second factor for one operation each, from the challenge to the use. */
export interface StepUpRepository {
  /** Forgets the person's others that expired without a proof. */
  insert(tx: Tx, stepUp: StepUp): Promise<void>;
  lock(tx: Tx, id: StepUpId): Promise<StepUp | null>;
  find(tx: Tx, id: StepUpId): Promise<StepUp | null>;
  spendChallenge(tx: Tx, id: StepUpId): Promise<void>;
  save(tx: Tx, stepUp: ProvedStepUp | UsedStepUp): Promise<void>;
  /** Expires every proof of the person that was not used yet. */
  expireProofs(tx: Tx, personId: PersonId, at: number): Promise<void>;
}

/** The challenges that new passkeys answer. */
export interface PasskeyRegistrationRepository {
  insert(
    tx: Tx,
    registration: {
      readonly personId: PersonId;
      readonly challenge: string;
      readonly createdAt: number;
      readonly expiresAt: number;
    },
  ): Promise<void>;
  /** Takes the person's unexpired challenges away, even if the answer fails. */
  spend(tx: Tx, personId: PersonId, now: number): Promise<readonly string[]>;
}

/** RFC 6238. */
export interface TotpAlgorithm {
  /** A new secret, base 32. */
  newSecret(): string;
  /** The address that authenticator apps read from a QR code. */
  uriOf(secret: string, label: string): string;
  /**
   * The time step that the code belongs to: of now, or one before or after it, and later than `after`.
   *
   * @returns null for any other code, malformed ones too.
   */
  stepOf(
    code: string,
    about: { readonly secret: string; readonly now: number; readonly after: number | null },
  ): Promise<number | null>;
}

/** Draws text as a QR code. */
export interface QrCodes {
  svg(text: string): string;
}

/** Encrypts a factor's secret with its tenant's name on it. */
export interface FactorSecrets {
  seal(tx: Tx, id: FactorId, secret: string): Promise<SealedSecret>;
  open(tx: Tx, id: FactorId, sealed: SealedSecret): Promise<Result<string>>;
}

/** The options for a browser, as WebAuthn's JSON has them. */
export type PasskeyOptions = Readonly<Record<string, unknown>> & { readonly challenge: string };

/** The facts that a new passkey proved of itself. */
export type NewPasskey = Pick<
  PasskeyFactor,
  'passkeyId' | 'publicKey' | 'counter' | 'transports' | 'backedUp' | 'site'
>;

/** Registers and checks passkeys (WebAuthn Level 3). */
export interface Passkeys {
  /** Null if this installation can have none. */
  readonly available: boolean;
  registrationOptions(
    person: { readonly id: PersonId; readonly email: string; readonly displayName: string },
    known: readonly PasskeyFactor[],
  ): Promise<PasskeyOptions>;
  /** Null for an answer that does not fit one of the challenges. */
  verifyRegistration(answer: unknown, challenges: readonly string[]): Promise<NewPasskey | null>;
  assertionOptions(passkeys: readonly PasskeyFactor[], challenge: string): Promise<PasskeyOptions>;
  /** Null as above; whether the counter went back is for the caller to see. */
  verifyAssertion(
    answer: unknown,
    challenge: string,
    passkey: PasskeyFactor,
  ): Promise<{
    readonly counter: number;
    readonly backedUp: boolean;
    /** The part of the answer that is kept: the offline verifier takes it, too. */
    readonly assertion: PasskeyAssertion;
  } | null>;
}

/** The person, as far as factors need one. */
export interface FactorHolders {
  find(
    tx: Tx,
    id: PersonId,
  ): Promise<{
    readonly id: PersonId;
    readonly email: string;
    readonly displayName: string;
    /** The reason to look at the name twice (T48); null if there is none. */
    readonly nameNote: string | null;
  } | null>;
}

/** Bytes from a cryptographic source. */
export interface RandomSource {
  bytes(count: number): Uint8Array;
}
