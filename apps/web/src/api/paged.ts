import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { AnswerTo, CallOf, CallsOf, PathOf } from '#lib/client';
import { api } from './client.js';
import { keyOf } from './query.js';

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The paths that answer with a page of a list. */
type PagedPath = {
  [P in PathOf<'get'>]: AnswerTo<'get', P> extends PageOf<unknown> ? P : never;
}[PathOf<'get'>];
type ItemOf<P extends PagedPath> = AnswerTo<'get', P> extends PageOf<infer Item> ? Item : never;

/** The names of the filters that a list takes. Their values come from the page's address, and the API checks them. */
type FilterOf<P extends PagedPath> =
  CallOf<'get', P> extends { query?: infer Query }
    ? { readonly [K in keyof Query]?: string | null | undefined }
    : never;

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  /** Reads the next page, unless it is being read or there is none. */
  readonly more: () => void;
  readonly again: () => void;
}

/** A list of the API, page by page as it is scrolled. */
export function usePaged<P extends PagedPath>(
  path: P,
  filter?: FilterOf<P>,
  /** The parameters of the path. */
  parameters?: Readonly<Record<string, string>>,
): Paged<ItemOf<P>> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(path, { path: parameters ?? {}, query: filter ?? {} }), 'pages'],
    queryFn: ({ pageParam }): Promise<PageOf<ItemOf<P>>> => {
      // The address may hold a value that the API does not know. The API refuses that, and the page shows the refusal.
      const call = [{ path: parameters, query: { ...filter, limit: 100, cursor: pageParam } }] as unknown as CallsOf<
        'get',
        P
      >;
      return api.get(path, ...call);
    },
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
