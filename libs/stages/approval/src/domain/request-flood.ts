import { actsInPerson, holderIdOf, type AgentId, type Failure, type PersonId, type Principal } from '#lib/kernel';

/** An agent, or a person with their token: an agent on their machine may have that (T55). */
export interface LimitedRequester {
  readonly kind: 'agent' | 'person';
  readonly id: AgentId | PersonId;
}

/** The principal as the limit counts them. Null for a person in a browser or in Slack, and for Countersign itself. */
export const limitedRequester = (principal: Principal): LimitedRequester | null =>
  principal.kind === 'system' || actsInPerson(principal) ? null : { kind: principal.kind, id: holderIdOf(principal) };

/** How many approvals one agent or person may ask for in {@link FLOOD_WINDOW_MS}: more than people can review is refused. */
export const MAX_REQUESTS = 60;
export const FLOOD_WINDOW_MS = 10 * 60_000;

/**
 * Until when an agent or a person has to wait that has asked too often (T09). Null if it may ask.
 *
 * @param openedAt when its latest requests opened, newest first, at least {@link MAX_REQUESTS} if there are so many.
 */
export function floodEnds(openedAt: readonly number[], now: number): number | null {
  const oldest = openedAt[MAX_REQUESTS - 1];
  if (oldest === undefined || oldest + FLOOD_WINDOW_MS <= now) return null;
  return oldest + FLOOD_WINDOW_MS;
}

export const flooded = (until: number, now: number): Failure => ({
  kind: 'rate_limited',
  code: 'approval.flood',
  message: `You have asked for ${String(MAX_REQUESTS)} approvals within ten minutes, which is more than people can review.`,
  action: 'Wait, and ask for fewer and larger plans: one plan may touch many targets.',
  retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1_000)),
  details: { limit: MAX_REQUESTS, window_seconds: FLOOD_WINDOW_MS / 1_000 },
});
