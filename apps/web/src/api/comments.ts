import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.js';
import { keyOf, queryOf } from './query.js';
import { readAgain } from './read-again.js';

export interface About {
  readonly type: 'approval_request' | 'change_request';
  readonly id: string;
}

const PATHS = {
  approval_request: '/v1/approval-requests/{id}/comments',
  change_request: '/v1/change-requests/{id}/comments',
} as const;

const PAGE = 100;

/** The comments, in the order in which they were written. */
export const useComments = ({ type, id }: About) =>
  useInfiniteQuery({
    queryKey: keyOf(PATHS[type], { path: { id } }),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => api.get(PATHS[type], { path: { id }, query: { limit: PAGE, cursor: pageParam } }),
    getNextPageParam: (page) => page.next_cursor,
  });

export function useAddComment({ type, id }: About) {
  const queries = useQueryClient();
  return useMutation({
    meta: { said: 'Your comment is sent.' },
    mutationFn: (body: string) => api.post(PATHS[type], { path: { id }, body: { body } }),
    onSuccess: () => readAgain(queries, PATHS[type]),
  });
}

/** The reader has seen them: they wait in the inbox no longer. */
export const markCommentsRead = ({ type, id }: About): Promise<void> =>
  api.post(`${PATHS[type]}/read`, { path: { id } });

/** Those that concern the reader and that they have not seen, newest first. */
export const useUnreadComments = () => useQuery(queryOf('/v1/unread-comments', { query: { limit: 20 } }));

/** The changes that people asked for in a task's revisions. */
export const useChangesAsked = (taskId: string) =>
  useQuery(queryOf('/v1/tasks/{id}/changes-asked', { path: { id: taskId } }));
