import type { ConfirmWord } from '#lib/formats';
import {
  err,
  MASK,
  maskSecrets,
  type EvidenceRef,
  type Failure,
  type PersonId,
  type Result,
  type Tx,
} from '#lib/kernel';

/** How a second factor was proved. */
export type MfaMethod = 'passkey' | 'totp' | 'recovery_code';

/** The one operation that a proof is good for, spelt as on the wire, and digested so. */
export type SteppedUpOperation =
  | {
      readonly kind: 'review';
      readonly request_id: string;
      readonly verdict: 'approve' | 'reject' | 'request_changes';
      readonly subject_digest: string;
      readonly comment: string;
      /** Present if the approval holds for later calls of this shape in the session, too. */
      readonly always?: true;
      /** The word that the person typed; present if the review approves, and the request obliges to it. */
      readonly confirm_word?: ConfirmWord;
    }
  | {
      readonly kind: 'break_glass';
      readonly plan_id: string;
      readonly plan_digest: string;
      readonly justification: string;
    }
  | { readonly kind: 'change_confirm'; readonly change_id: string; readonly change_digest: string }
  | { readonly kind: 'vouch'; readonly person_id: string; readonly fingerprint: string }
  | { readonly kind: 'issuer_confirm'; readonly issuer_id: string; readonly settings_revision: number }
  | {
      readonly kind: 'factor_change';
      readonly change: 'add_totp' | 'add_passkey' | 'renew_recovery_codes';
    }
  | { readonly kind: 'factor_removal'; readonly factor_id: string };

/** The record of a proved second factor: never a code. */
export interface MfaProof {
  readonly method: MfaMethod;
  /** Epoch milliseconds. */
  readonly provedAt: number;
}

/** A used proof, with its evidence: the audit entry of its operation names that evidence. */
export interface TakenProof extends MfaProof {
  readonly evidence: readonly EvidenceRef[];
}

/**
 * The operation with the secrets in people's words masked, as the words are kept. A proof binds the words on record, so
 * it can be checked against them (T32).
 */
export function maskedOperation(operation: SteppedUpOperation): SteppedUpOperation {
  if (operation.kind === 'review') return { ...operation, comment: maskedText(operation.comment) };
  if (operation.kind === 'break_glass') return { ...operation, justification: maskedText(operation.justification) };
  return operation;
}

function maskedText(text: string): string {
  const masked = maskSecrets(text);
  return typeof masked === 'string' ? masked : MASK;
}

/** Proofs of a second factor, each bound to one person and one operation, good for five minutes and once. */
export interface MfaProofs {
  /**
   * Uses the proof up in the caller's transaction. A rollback gives it back, and so does a refusal by this method.
   *
   * Failures: `mfa.required` (nothing was proved yet), `mfa.other_operation` (also if the step-up is not this person's),
   * `mfa.proof_expired`, `mfa.proof_used`.
   */
  take(
    tx: Tx,
    wanted: { readonly personId: PersonId; readonly stepUpId: string; readonly operation: SteppedUpOperation },
  ): Promise<Result<TakenProof>>;
  /** Whether the person has a factor that counts. */
  mfaState(tx: Tx, personId: PersonId): Promise<{ readonly enrolled: boolean }>;
}

/**
 * Takes the proof that an operation never goes without.
 *
 * Failures: `mfa.not_enrolled` and `mfa.required` without a proof, and those of {@link MfaProofs.take}.
 *
 * @param doing the operation that needs it, as the beginning of a sentence.
 */
export async function takeRequiredProof(
  proofs: MfaProofs,
  tx: Tx,
  wanted: {
    readonly personId: PersonId;
    readonly stepUpId: string | undefined;
    readonly operation: SteppedUpOperation;
  },
  doing: string,
): Promise<Result<TakenProof>> {
  const { personId, stepUpId, operation } = wanted;
  if (stepUpId !== undefined) return proofs.take(tx, { personId, stepUpId, operation });
  const { enrolled } = await proofs.mfaState(tx, personId);
  return err(enrolled ? proofRequired(doing, operation) : notEnrolled(doing));
}

/** The route at which programs prove a second factor: refusals carry it beside their words, which are for people. */
export const STEP_UP_ROUTE = 'POST /v1/step-ups';

/** The refusal of an operation without a proof. @param doing the operation, as a sentence begins. */
export const proofRequired = (doing: string, operation: SteppedUpOperation): Failure => ({
  kind: 'forbidden',
  code: 'mfa.required',
  message: `${doing} needs a second factor, and none was proved for it.`,
  action: 'Confirm with your second factor.',
  details: { operation, route: STEP_UP_ROUTE },
});

/** The refusal of an operation by a person without a second factor. */
export const notEnrolled = (doing: string): Failure => ({
  kind: 'forbidden',
  code: 'mfa.not_enrolled',
  message: `${doing} needs a second factor, and you have none.`,
  action: 'Set one up under Settings. Then try again.',
});
