import type { QueuedRequestView } from '#lib/api-schemas';

/**
 * The requester's own words about a request of a list. They are the goal of a plan's task, or the reason for a call; null for
 * none.
 */
export const wordsOf = (request: QueuedRequestView): string | null =>
  'call' in request ? (request.call.said_by_the_requester?.reason ?? null) : request.said_by_the_requester.goal;
