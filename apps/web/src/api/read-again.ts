import type { Query, QueryClient } from '@tanstack/react-query';
import type { PathOf } from '#lib/client';

/** The readings that follow the ones under way. */
const following = new WeakMap<Query, Promise<void>>();

/** Reads again the queries of these paths and of every path below them. */
export const readAgain = (queries: QueryClient, ...paths: readonly PathOf<'get'>[]): Promise<void> =>
  readEach(queries, ({ queryKey: [path] }) =>
    paths.some((changed) => path === changed || String(path).startsWith(`${changed}/`)),
  );

/** Reads again everything that was read, for example after a loss of the stream of events. */
export const readAllAgain = (queries: QueryClient): Promise<void> => readEach(queries, () => true);

async function readEach(queries: QueryClient, isStale: (query: Query) => boolean): Promise<void> {
  const stale = queries.getQueryCache().getAll().filter(isStale);
  await Promise.all(stale.map((query) => readOnceMore(queries, query)));
}

/**
 * The answer to a reading under way may be older than the change, so another reading follows. The first is not given up for it:
 * if changes came faster than answers, no page would show either.
 */
function readOnceMore(queries: QueryClient, query: Query): Promise<void> {
  const read = (): Promise<void> => queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
  const { promise: underWay } = query;
  if (query.state.fetchStatus === 'idle' || underWay === undefined) return read();
  const before = following.get(query);
  if (before !== undefined) return before;
  const readNext = (): Promise<void> => {
    following.delete(query);
    return read();
  };
  const next = underWay.then(readNext, readNext);
  following.set(query, next);
  return next;
}
