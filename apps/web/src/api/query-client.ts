import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { announce } from './announce.js';
import { ApiError } from './api-error.js';
import { readAgain } from './read-again.js';

declare module '@tanstack/react-query' {
  interface Register {
    /** The result of a mutation in words, which a screen reader reads aloud. */
    mutationMeta: { readonly said?: string };
  }
}

/** The path that tells the session of this browser. */
export const SESSION = '/v1/browser-sessions/current';

/** Whether an answer says that the session has ended. */
const isSignedOut = (error: Error): boolean =>
  error instanceof ApiError && error.status === 401 && error.code !== 'sign_in.not_fresh';

/** Whether the same question gets the same answer. */
const isFinal = ({ status, code }: ApiError): boolean =>
  (status >= 400 && status < 500) || code === 'database.too_slow';

const askAgainWho = (error: Error): void => {
  if (isSignedOut(error)) void readAgain(queryClient, SESSION);
};

/** An answer counts as fresh for so long, if no event says otherwise. */
export const ANSWERS_STAY_MS = 30_000;

/** Answers stay until an event says that they changed; see live-events.ts. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== SESSION) askAgainWho(error);
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
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && isFinal(error)),
    },
    // Without a network an act fails at once: kept until there is one, it would be done later, when nobody expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
});
