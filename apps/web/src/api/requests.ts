import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApprovalRequestDetailView, ApprovalRequestView, Verdict } from '#lib/contracts';
import { api } from './client.js';

/** A request with everything that its approvers see. */
export const useRequest = (id: string) =>
  useQuery({
    queryKey: ['approval-requests', 'detail', id],
    queryFn: () => api.get<ApprovalRequestDetailView>(`/v1/approval-requests/${id}`),
  });

export interface Review {
  readonly verdict: Verdict;
  readonly comment: string;
  readonly planDigest: string;
  /** The proof of a second factor, where one was asked for. */
  readonly stepUpId: string | null;
}

export function useSubmitReview(requestId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ verdict, comment, planDigest, stepUpId }: Review) =>
      api.post<ApprovalRequestView>(`/v1/approval-requests/${requestId}/reviews`, {
        verdict,
        plan_digest: planDigest,
        ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
        ...(stepUpId === null ? {} : { step_up_id: stepUpId }),
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['approval-requests'] });
      void queries.invalidateQueries({ queryKey: ['plans'] });
    },
  });
}
