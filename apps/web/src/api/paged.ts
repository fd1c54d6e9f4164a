import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api } from './client.js';

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  /** Reads the next page, unless it is being read or there is none. */
  readonly more: () => void;
  readonly again: () => void;
}

type Filter = Readonly<Record<string, string | null | undefined>>;

/**
 * A list of the API, page by page as it is scrolled.
 *
 * @param name the first part of the query's key; live-events.ts names which changes touch it.
 */
export function usePaged<Item>(name: string, path: string, filter: Filter = {}): Paged<Item> {
  const query = useInfiniteQuery({
    queryKey: [name, 'list', path, filter],
    queryFn: ({ pageParam }) => api.get<PageOf<Item>>(path, { ...filter, limit: 100, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const { data, isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const again = useCallback(() => void refetch(), [refetch]);
  return { items, isPending, error, hasMore: hasNextPage, more, again };
}
