import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Verdict } from '#lib/formats';
import { api } from './client.js';
import { queryOf } from './query.js';
import { readAgain } from './read-again.js';

/** A request with everything that its approvers see. */
export const useRequest = (id: string) => useQuery(queryOf('/v1/approval-requests/{id}', { path: { id } }));

/** Requests and runs of the past that are like this request. */
export const usePrecedents = (id: string) =>
  useQuery(queryOf('/v1/approval-requests/{id}/precedents', { path: { id }, query: { limit: 5 } }));

export interface Review {
  readonly comment: string;
  readonly subjectDigest: string;
  /** The proof of a second factor, if one was asked for. */
  readonly stepUpId: string | null;
  /** The word that the request asks for, as typed; empty for none. */
  readonly confirmWord: string;
  /** Later calls like this one in its session need no answer. */
  readonly always: boolean;
}

const SAID: Readonly<Record<Verdict, string>> = {
  approve: 'You approved it.',
  reject: 'You rejected it.',
  request_changes: 'You requested changes.',
};

/** Ends once the page shows the review. */
export function useSubmitReview(requestId: string, verdict: Verdict) {
  const queries = useQueryClient();
  return useMutation({
    meta: { said: SAID[verdict] },
    mutationFn: ({ comment, subjectDigest, stepUpId, confirmWord, always }: Review) =>
      api.post('/v1/approval-requests/{id}/reviews', {
        path: { id: requestId },
        body: {
          verdict,
          subject_digest: subjectDigest,
          ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
          ...(stepUpId === null ? {} : { step_up_id: stepUpId }),
          ...(confirmWord === '' ? {} : { confirm_word: confirmWord }),
          ...(always ? { always } : {}),
        },
      }),
    onSuccess: () => readAgain(queries, '/v1/approval-requests', '/v1/plans'),
  });
}
