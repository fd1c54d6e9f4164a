import { useCallback, useMemo } from 'react';
import type { ChangeRequestView, QueuedRequestView } from '#lib/contracts';
import { useUnreadComments } from '../api/comments.js';
import { usePaged, type Paged } from '../api/paged.js';

/** One thing that waits for the reader's decision. */
export type Waiting =
  | { readonly kind: 'change'; readonly path: string; readonly change: ChangeRequestView }
  | { readonly kind: 'request'; readonly path: string; readonly request: QueuedRequestView };

const CONFIRMABLE = { state: 'open', confirmable: 'true' };

/** What waits for the reader: what would loosen the gate, then requests, the most dangerous first and of those what runs out soonest. */
export function useQueue(): Paged<Waiting> {
  const changes = usePaged<ChangeRequestView>('changes', '/v1/changes', CONFIRMABLE);
  const requests = usePaged<QueuedRequestView>('queue', '/v1/queue');
  const items = useMemo<readonly Waiting[]>(
    () => [
      ...changes.items.map((change) => ({ kind: 'change' as const, path: `/changes/${change.id}`, change })),
      ...requests.items.map((request) => ({ kind: 'request' as const, path: `/requests/${request.id}`, request })),
    ],
    [changes.items, requests.items],
  );
  const [moreChanges, moreRequests] = [changes.more, requests.more];
  const [changesAgain, requestsAgain] = [changes.again, requests.again];
  return {
    items,
    isPending: changes.isPending || requests.isPending,
    error: changes.error ?? requests.error,
    hasMore: changes.hasMore || requests.hasMore,
    more: useCallback(() => {
      moreChanges();
      moreRequests();
    }, [moreChanges, moreRequests]),
    again: useCallback(() => {
      changesAgain();
      requestsAgain();
    }, [changesAgain, requestsAgain]),
  };
}

/** How much waits for the reader, as far as it was read: to be decided, and comments that they have not seen. */
export function useWaiting(): number {
  const comments = useUnreadComments().data?.items.length ?? 0;
  return useQueue().items.length + comments;
}
