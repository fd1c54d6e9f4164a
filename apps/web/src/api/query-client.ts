import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, pauseMs } from '#lib/client';
import { announce } from './announce.js';
import { ApiError } from './api-error.js';
import { readAgain } from './read-again.js';

declare module '@tanstack/react-query' {
  interface Register {
    /** The result of a mutation in words, which a screen reader reads aloud. */
    mutationMeta: { readonly said?: string };
  }
}

// A button is busy before the second click of a double click. By default, that click would come first, and act again.
notifyManager.setScheduler(queueMicrotask);

/** The path of the current browser session. */
export const BROWSER_SESSION = '/v1/browser-sessions/current';

/** Whether an answer says that the browser session has ended. */
const isSignedOut = (error: Error): boolean =>
  error instanceof ApiError && error.status === 401 && error.code !== 'sign_in.not_fresh';

/** A page asks for no place that is further away. */
const MAX_PAUSE_SECONDS = 10;

const retryAfterOf = (error: Error): unknown =>
  error instanceof ApiError ? error.problem.retry_after_seconds : undefined;

/** Twice more at most, if the answer may be another one. */
const mayAskAgain = (failures: number, error: Error): boolean =>
  failures < 2 &&
  (!(error instanceof ApiError) || error.status === 0 || isPassing(error)) &&
  Number(retryAfterOf(error) ?? 0) <= MAX_PAUSE_SECONDS;

const askAgainWho = (error: Error): void => {
  if (isSignedOut(error)) void readAgain(queryClient, BROWSER_SESSION);
};

/** An answer counts as fresh for so long, if no event says otherwise. */
export const ANSWERS_STAY_MS = 30_000;

/** Answers stay until an event says that they changed; see live-events.ts. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== BROWSER_SESSION) askAgainWho(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: askAgainWho,
    onSettled: (_answer, error, _input, _context, { meta }) => {
      if (error === null && meta?.said !== undefined) announce(meta.said);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: ANSWERS_STAY_MS,
      retry: mayAskAgain,
      retryDelay: (failures, error) => pauseMs(failures + 2, retryAfterOf(error)),
    },
    // Without a network an act fails at once. Kept until there is one, it would be done later, when nobody expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
});
