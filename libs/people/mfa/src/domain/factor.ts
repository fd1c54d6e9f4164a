import type { FactorId, PersonId } from '#lib/kernel';
import type { RelyingParty } from './relying-party.js';
import type { FactorState } from './factor-transitions.js';

interface FactorFacts {
  readonly id: FactorId;
  readonly personId: PersonId;
  readonly name: string;
  readonly createdAt: number;
  readonly confirmedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** An authenticator app (RFC 6238): 30-second steps, six digits, SHA-1, as every app reads it. */
export interface TotpFactor extends FactorFacts {
  readonly kind: 'totp';
  readonly state: FactorState;
  readonly secret: SealedSecret;
  /** The time step of the last accepted code; null before the first. */
  readonly lastStep: number | null;
}

/** A passkey (WebAuthn level 3). It is proved as it is registered, so it is never pending. */
export interface PasskeyFactor extends FactorFacts {
  readonly kind: 'passkey';
  readonly state: 'active';
  readonly passkeyId: string;
  /** The relying party that it was registered with. */
  readonly site: RelyingParty;
  /** COSE. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it is synchronised to other devices. */
  readonly backedUp: boolean;
}

/** A second factor of a person. */
export type Factor = TotpFactor | PasskeyFactor;

/** A secret as it is stored. */
export interface SealedSecret {
  readonly keyId: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** The most factors one person keeps. */
export const MAX_FACTORS = 10;

export const isPasskey = (factor: Factor): factor is PasskeyFactor => factor.kind === 'passkey';

export const isTotp = (factor: Factor): factor is TotpFactor => factor.kind === 'totp';

/** Whether a factor proves anything: one that was begun and not confirmed does not. */
export const isActive = ({ state }: Factor): boolean => state === 'active';
