import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

/** Answers stay until an event says that they changed; see live-events.ts. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
});
