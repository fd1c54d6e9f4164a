/**
 * Second factors and their proofs: authenticator apps, passkeys, recovery codes, and step-ups.
 *
 * Invariants: a factor counts once it was shown to work; a secret is stored encrypted, a recovery code as a digest, and
 * both are shown once; a code and a challenge are each good once, also at the same moment; wrong codes are counted over
 * all processes, and lock for longer each time; a proof is bound to one person and one operation, and counts for five
 * minutes; the transaction of that operation uses it up.
 *
 * Never decides whether an operation needs a second factor. Policy and the operations do, and take the proof through
 * the kernel's `MfaProofs`.
 */
export {
  factorEntity,
  lockoutEntity,
  passkeyRegistrationEntity,
  recoveryCodeEntity,
  stepUpEntity,
} from './adapters/mfa.entity.js';
export { EnrolTotp } from './application/enrol-totp.js';
export { KeepFactors, type FactorsOverview } from './application/keep-factors.js';
export { ReadApproverKeys } from './application/read-approver-keys.js';
export { RegisterPasskey } from './application/register-passkey.js';
export { ResetFactors } from './application/reset-factors.js';
export { SignInPasskeys, type FormerFactorProof } from './application/sign-in-passkeys.js';
export type { PasskeyOptions } from './application/mfa.ports.js';
export { StepUpForOperation, type StepUpStarted } from './application/step-up.js';
export type { Factor } from './domain/factor.js';
export { relyingPartyOf, type RelyingParty } from './domain/relying-party.js';
export type { ProvedStepUp } from './domain/step-up.js';
export { createFactorMethods, createMfa, createMfaStore } from './create-mfa.js';
