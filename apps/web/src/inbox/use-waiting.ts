import { useQuery } from '@tanstack/react-query';
import type { InboxItemView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useUnreadComments } from '../api/comments.js';

/** All that waits for the reader, the most pressing first. */
export const useInbox = () => useQuery(queryOf('/v1/inbox'));

/** How much waits for the reader, with comments they have not seen; "200+" if more waits than was read. */
export function useWaiting(): string {
  const { data } = useInbox();
  const count = (data?.count ?? 0) + (useUnreadComments().data?.items.length ?? 0);
  return count === 0 ? '' : `${String(count)}${data?.more === true ? '+' : ''}`;
}

/** The page to act on it. */
export function pathOfWaiting(item: InboxItemView): string {
  switch (item.kind) {
    case 'request':
      return `/requests/${item.request.id}`;
    case 'start':
      return `/plans/${item.request.subject.id}`;
    case 'incident':
      return `/incidents/${item.incident.id}`;
    case 'change':
      return `/changes/${item.change.id}`;
  }
}
