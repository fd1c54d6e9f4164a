import {
  digestOf,
  err,
  ok,
  type CredentialId,
  type Digest,
  type FactorId,
  type MfaMethod,
  type PersonId,
  type Result,
  type SteppedUpOperation,
  type StepUpId,
} from '#lib/kernel';
import { alreadyProved, alreadyUsed, otherOperation, proofExpired, required, stepUpExpired } from './refusals.js';

interface StepUpFacts {
  readonly id: StepUpId;
  readonly personId: PersonId;
  readonly credentialId: CredentialId;
  readonly operation: SteppedUpOperation;
  readonly operationDigest: Digest;
  /** What a passkey has to answer, base64url; null without a passkey, and after the first answer. */
  readonly challenge: string | null;
  readonly createdAt: number;
  /** Until when it can be proved. */
  readonly expiresAt: number;
}

interface Proof {
  readonly method: MfaMethod;
  /** Null for a recovery code. */
  readonly factorId: FactorId | null;
  readonly provedAt: number;
  readonly proofExpiresAt: number;
}

export type OpenStepUp = StepUpFacts & { readonly state: 'open' };
export type ProvedStepUp = StepUpFacts & Proof & { readonly state: 'proved' };
export type UsedStepUp = StepUpFacts & Proof & { readonly state: 'used'; readonly usedAt: number };
export type StepUp = OpenStepUp | ProvedStepUp | UsedStepUp;

/** How long a step-up waits for its proof, and how long the proof counts. */
export const STEP_UP_MS = 300_000;

/** What a proof is bound to: this operation by this person. */
export const operationDigest = (personId: PersonId, operation: SteppedUpOperation): Digest =>
  digestOf('stepped-up-operation', { person_id: personId, operation: { ...operation } });

/** `mfa.already_proved` or `mfa.step_up_expired` where it can't be proved any more. */
export function decideOpen(stepUp: StepUp, now: number): Result<OpenStepUp> {
  if (stepUp.state !== 'open') return err(alreadyProved);
  return now < stepUp.expiresAt ? ok(stepUp) : err(stepUpExpired);
}

export const proved = (
  stepUp: OpenStepUp,
  by: { readonly method: MfaMethod; readonly factorId: FactorId | null },
  now: number,
): ProvedStepUp => ({ ...stepUp, ...by, state: 'proved', provedAt: now, proofExpiresAt: now + STEP_UP_MS });

/** Uses a proof up: `mfa.other_operation`, `mfa.required`, `mfa.proof_used` or `mfa.proof_expired` where it isn't good. */
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
      return err(required(wanted.operation));
    case 'used':
      return err(alreadyUsed);
    case 'proved':
      return now < stepUp.proofExpiresAt ? ok({ ...stepUp, state: 'used', usedAt: now }) : err(proofExpired);
  }
}
