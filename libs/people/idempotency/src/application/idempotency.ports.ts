import type { CredentialId, TenantId, Tx } from '#lib/kernel';

/** A request that asks for a key (ADR 8). */
export interface IdempotencyClaim {
  readonly tenantId: TenantId;
  readonly credentialId: CredentialId;
  /** The Idempotency-Key of the request. */
  readonly key: string;
  /** Method and route template. */
  readonly operation: string;
  /** Of method, route, parameters, query and body: another request under the same key has another. */
  readonly requestDigest: string;
}

export interface AnswerToKeep {
  /** Of HTTP. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was answered; empty if it is not kept. Of a status from 500 on, the code of the failure. */
  readonly body: string;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: AnswerToKeep }
  /** `old`: the key was claimed over a minute ago, so that the first request must have died. */
  | { readonly kind: 'unfinished'; readonly old: boolean }
  | { readonly kind: 'mismatch' };

/** The answers kept for repeated requests, each belonging to one key of one credential, for a day. */
export interface IdempotencyRecords {
  /** Claims the key, or returns the result of the earlier claim. Of several at once exactly one claims. */
  claim(tx: Tx, claim: IdempotencyClaim): Promise<ClaimOutcome>;

  /** Keeps the answer; travels with the last writes. */
  complete(tx: Tx, claim: IdempotencyClaim, answer: AnswerToKeep): Promise<void>;

  /** Gives the key back, unless its answer is kept; travels with the commit. */
  release(tx: Tx, claim: IdempotencyClaim): Promise<void>;
}
