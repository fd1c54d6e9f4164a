import { useQuery } from '@tanstack/react-query';
import type { ApprovalRequestView } from '#lib/contracts';
import { api } from '../api/client.js';

export const waitingQuery = {
  queryKey: ['approval-requests', 'waiting'] as const,
  queryFn: () =>
    api.get<{ items: ApprovalRequestView[]; next_cursor: string | null }>('/v1/approval-requests', {
      reviewable: true,
      limit: 100,
    }),
};

/** How many requests wait for the reader. */
export const useWaiting = (): number => useQuery(waitingQuery).data?.items.length ?? 0;
