/**
 * Until when a call is offered, and until when its answer counts. A call that no runner took by then is withdrawn: nothing happened, and
 * the run engine decides. The offer ends at the latest after half of the time limit, so that a runner has the other half. Epoch
 * milliseconds.
 *
 * @param offerMs the longest offer, in milliseconds.
 */
export function dispatchTimes(
  now: number,
  timeLimitSeconds: number,
  offerMs: number,
): { offeredUntil: number; answerBy: number } {
  const limitMs = timeLimitSeconds * 1_000;
  return { offeredUntil: now + Math.min(offerMs, limitMs / 2), answerBy: now + limitMs };
}
