/** A call that no runner took within this time is withdrawn: nothing happened, and the run engine decides. */
const MAX_OFFER_MS = 15_000;

/**
 * Until when a call is offered, and until when its answer counts. The offer ends at the latest after half of the time limit, so
 * that a runner has the other half. Epoch milliseconds.
 */
export function dispatchTimes(now: number, timeLimitSeconds: number): { offeredUntil: number; answerBy: number } {
  const limitMs = timeLimitSeconds * 1_000;
  return { offeredUntil: now + Math.min(MAX_OFFER_MS, limitMs / 2), answerBy: now + limitMs };
}
