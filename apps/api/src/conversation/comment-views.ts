import type { CommentView, UnreadCommentView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import type { SeenComment, UnreadComment } from '#lib/conversation';

export const commentView = ({ comment, authorName }: SeenComment): CommentView => ({
  id: comment.id,
  about: { ...comment.subject },
  author: { kind: comment.author.kind, id: comment.author.id, display_name: authorName },
  on_behalf_of: comment.author.onBehalfOf,
  body: comment.body,
  via: comment.via.kind,
  created_at: toTimestamp(comment.createdAt),
});

export const unreadCommentView = (unread: UnreadComment): UnreadCommentView => ({
  ...commentView(unread),
  headline: unread.headline,
});
