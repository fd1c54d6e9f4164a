import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import { ApiError } from './api-error.js';
import { watched } from './watched.js';

/** The errors that parts of the page show by themselves. */
const shown = watched<readonly unknown[]>([]);
let all: readonly unknown[] = [];

function show(next: readonly unknown[]): void {
  all = next;
  shown.set(next);
}

/** Tells that a part of the page shows this error. */
export function useShows(error: unknown): void {
  useLayoutEffect(() => {
    show([...all, error]);
    return () => {
      show(all.toSpliced(all.indexOf(error), 1));
    };
  }, [error]);
}

/** A refusal is an answer: the reader may lack a role for a part of the page. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

const failed = ({ state: { status, data, error } }: Query): boolean =>
  status === 'error' && data === undefined && !isRefusal(error);

/** Whether a request of the page failed and no part of the page says so. `again` repeats the failed requests. */
export function useNotRead(): { readonly isThere: boolean; readonly again: () => void } {
  const queries = useQueryClient();
  const told = shown.use();
  const subscribe = useCallback(
    (tell: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(tell)),
    [queries],
  );
  const isThere = useSyncExternalStore(subscribe, () =>
    queries
      .getQueryCache()
      .findAll({ type: 'active', predicate: failed })
      .some(({ state: { error } }) => !told.includes(error)),
  );
  const again = useCallback(() => {
    void queries.refetchQueries({ type: 'active', predicate: failed });
  }, [queries]);
  return { isThere, again };
}
