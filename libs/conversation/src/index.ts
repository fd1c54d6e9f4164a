/**
 * Conversations: what people, and the agent of a plan, say of an approval request or of a change of a guardrail without
 * deciding on it.
 *
 * Owns comments and whom each concerned. Invariants: a comment never changes and decides nothing; secrets in it are
 * masked before it is kept; it is fixed in the audit log by digest and part of the evidence; its author is never told of
 * it; agents speak of requests for their own plans alone, a few times until a person answers, and what they say is never
 * sent by mail, push or Slack.
 *
 * Never changes a request, a change or a vote.
 */
export { SqlComments } from './adapters/sql-comments.js';
export { SqlRecipients } from './adapters/sql-recipients.js';
export { AddComment } from './application/add-comment.js';
export { ChangeCommentEvidence, RequestCommentEvidence } from './application/comment-evidence.js';
export { CommentNotices } from './application/comment-notices.js';
export type { NamedComment, UnreadComment } from './application/conversation.ports.js';
export { ReadComments } from './application/read-comments.js';
export { SlackReplies } from './application/slack-replies.js';
export type { Subject } from './domain/comment.js';
