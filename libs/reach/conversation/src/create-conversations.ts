import type { AuditSink, Outbox, UnitOfWork } from '#lib/kernel';
import { SqlComments } from './adapters/sql-comments.js';
import { SqlRecipients } from './adapters/sql-recipients.js';
import { AddComment } from './application/add-comment.js';
import { ChangeCommentEvidence, RequestCommentEvidence } from './application/comment-evidence.js';
import { CommentNotices } from './application/comment-notices.js';
import type { CommentRepository, RecipientRepository } from './application/conversation.ports.js';
import { ReadComments } from './application/read-comments.js';
import { SlackReplies } from './application/slack-replies.js';

/** The stored comments, and the people who are told of them. */
export interface ConversationRows {
  readonly comments: CommentRepository;
  readonly recipients: RecipientRepository;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createConversationStore = (): ConversationRows => ({
  comments: new SqlComments(),
  recipients: new SqlRecipients(),
});

export interface ConversationDeps {
  readonly uow: UnitOfWork;
  readonly rows: ConversationRows;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

/** Conversations. */
export function createConversations({ uow, rows, audit, outbox, publicUrl }: ConversationDeps) {
  const { comments, recipients } = rows;
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
