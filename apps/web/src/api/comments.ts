import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangesAskedList, CommentPage, CommentView, UnreadCommentPage } from '#lib/contracts';
import { api } from './client.js';

export interface About {
  readonly type: 'approval_request' | 'change_request';
  readonly id: string;
}

const pathOf = ({ type, id }: About): string =>
  `/v1/${type === 'approval_request' ? 'approval-requests' : 'change-requests'}/${id}/comments`;

const PAGE = 100;

/** What was said, in the order in which it was written. */
export const useComments = (about: About) =>
  useInfiniteQuery({
    queryKey: ['comments', about.id],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => api.get<CommentPage>(pathOf(about), { limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => page.next_cursor,
  });

export function useAddComment(about: About) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: string) => api.post<CommentView>(pathOf(about), { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['comments', about.id] }),
  });
}

/** The reader has seen them: they wait in the inbox no longer. */
export const markCommentsRead = (about: About): Promise<void> => api.post(`${pathOf(about)}/read`);

/** Those that concern the reader and that they have not seen, newest first. */
export const useUnreadComments = () =>
  useQuery({
    queryKey: ['unread-comments'],
    queryFn: () => api.get<UnreadCommentPage>('/v1/unread-comments', { limit: 20 }),
  });

/** What people asked to be changed of a task's revisions. */
export const useChangesAsked = (taskId: string) =>
  useQuery({
    queryKey: ['approval-requests', 'changes-asked', taskId],
    queryFn: () => api.get<ChangesAskedList>(`/v1/tasks/${taskId}/changes-asked`),
  });
