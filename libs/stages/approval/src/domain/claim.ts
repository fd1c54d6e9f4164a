import type { PersonId } from '#lib/kernel';

/** A person's claim that they look at a request. Epoch milliseconds; it is over by the clock. */
export interface Claim {
  readonly personId: PersonId;
  readonly claimedAt: number;
  readonly expiresAt: number;
}

const CLAIM_MS = 15 * 60_000;

export const claims = (personId: PersonId, now: number): Claim => ({
  personId,
  claimedAt: now,
  expiresAt: now + CLAIM_MS,
});
