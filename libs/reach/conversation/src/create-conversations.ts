import type { AuditSink, Outbox, UnitOfWork } from '#lib/kernel';
import { SqlComments } from './adapters/sql-comments.js';
import { SqlRecipients } from './adapters/sql-recipients.js';
import { AddComment } from './application/add-comment.js';
import { ChangeCommentEvidence, RequestCommentEvidence } from './application/comment-evidence.js';
import { CommentNotices } from './application/comment-notices.js';
import { ReadComments } from './application/read-comments.js';
import { SlackReplies } from './application/slack-replies.js';

export interface ConversationDeps {
  readonly uow: UnitOfWork;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

export function createConversations({ uow, audit, outbox, publicUrl }: ConversationDeps) {
  const comments = new SqlComments();
  const recipients = new SqlRecipients();
  const addComment = new AddComment(uow, comments, recipients, audit, outbox);
  return {
    addComment,
    readComments: new ReadComments(uow, comments, recipients),
    slackReplies: new SlackReplies(addComment),
    commentNotices: new CommentNotices(comments, recipients, publicUrl),
    requestCommentEvidence: new RequestCommentEvidence(comments),
    changeCommentEvidence: new ChangeCommentEvidence(comments),
  };
}
