import { encodeBase64Url, passkeyChallenge } from '#lib/verifier';
import type { AssertionDocument, ProvedOperation } from '#lib/formats';
import { maskedOperation, proofRequired, type MfaMethod, type SteppedUpOperation, type StepUpId } from '#lib/identity';
import {
  digestOf,
  err,
  ok,
  type CredentialId,
  type Digest,
  type FactorId,
  type PersonId,
  type Result,
} from '#lib/kernel';
import { alreadyProved, alreadyUsed, otherOperation, proofExpired, stepUpExpired } from './refusals.js';

interface StepUpFacts {
  readonly id: StepUpId;
  readonly personId: PersonId;
  readonly credentialId: CredentialId;
  readonly operation: SteppedUpOperation;
  readonly operationDigest: Digest;
  /** The challenge for a passkey, base64url; null without a passkey, and after the first answer. */
  readonly challenge: string | null;
  /** The challenge's random part. */
  readonly nonce: Uint8Array;
  readonly createdAt: number;
  /** Until when it can be proved. */
  readonly expiresAt: number;
}

/** The kept parts of a passkey's answer, in the spelling of the wire. Their holder can check them without us. */
export interface PasskeyAssertion {
  readonly credential_id: string;
  /** As `passkeyPublicKeyOf` spells it. */
  readonly public_key: string;
  readonly relying_party_id: string;
  readonly origin: string;
  readonly authenticator_data: string;
  readonly client_data_json: string;
  readonly signature: string;
}

interface Proof {
  readonly method: MfaMethod;
  /** Null for a recovery code. */
  readonly factorId: FactorId | null;
  /** The answer of a passkey; null for other methods. */
  readonly assertion: PasskeyAssertion | null;
  readonly provedAt: number;
  readonly proofExpiresAt: number;
}

export type OpenStepUp = StepUpFacts & { readonly state: 'open' };
export type ProvedStepUp = StepUpFacts & Proof & { readonly state: 'proved' };
export type UsedStepUp = StepUpFacts & Proof & { readonly state: 'used'; readonly usedAt: number };
export type StepUp = OpenStepUp | ProvedStepUp | UsedStepUp;

/** How long a step-up waits for its proof, and how long the proof counts. */
export const STEP_UP_MS = 300_000;

/** The digest that a proof is bound to: this operation by this person. */
export const operationDigest = (personId: PersonId, operation: SteppedUpOperation): Digest => {
  const document: ProvedOperation = { person_id: personId, operation: { ...maskedOperation(operation) } };
  return digestOf('stepped-up-operation', document);
};

/** The challenge that a passkey signs to prove the operation, base64url. */
export const challengeOf = (digest: Digest, nonce: Uint8Array): string => passkeyChallenge(digest, nonce);

/** A passkey's answer as evidence: its checker computes the challenge again. Null for other methods. */
export const assertionDocument = (stepUp: ProvedStepUp | UsedStepUp): AssertionDocument | null =>
  stepUp.assertion === null
    ? null
    : {
        id: stepUp.id,
        person_id: stepUp.personId,
        operation: { ...stepUp.operation },
        nonce: encodeBase64Url(stepUp.nonce),
        signed_at: stepUp.provedAt,
        ...stepUp.assertion,
      };

/** Fails with `mfa.already_proved` or `mfa.step_up_expired` if it can't be proved any more. */
export function decideOpen(stepUp: StepUp, now: number): Result<OpenStepUp> {
  if (stepUp.state !== 'open') return err(alreadyProved);
  return now < stepUp.expiresAt ? ok(stepUp) : err(stepUpExpired);
}

export const proved = (
  stepUp: OpenStepUp,
  by: Pick<Proof, 'method' | 'factorId' | 'assertion'>,
  now: number,
): ProvedStepUp => ({ ...stepUp, ...by, state: 'proved', provedAt: now, proofExpiresAt: now + STEP_UP_MS });

/** Uses a proof up: `mfa.other_operation`, `mfa.required`, `mfa.proof_used` or `mfa.proof_expired` if it isn't good. */
export function decideTake(
  stepUp: StepUp | null,
  wanted: { readonly personId: PersonId; readonly operation: SteppedUpOperation },
  now: number,
): Result<UsedStepUp> {
  if (
    stepUp?.personId !== wanted.personId ||
    stepUp.operationDigest !== operationDigest(wanted.personId, wanted.operation)
  ) {
    return err(otherOperation);
  }
  switch (stepUp.state) {
    case 'open':
      return err(proofRequired('This', wanted.operation));
    case 'used':
      return err(alreadyUsed);
    case 'proved':
      return now < stepUp.proofExpiresAt ? ok({ ...stepUp, state: 'used', usedAt: now }) : err(proofExpired);
  }
}
