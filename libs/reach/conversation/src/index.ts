/**
 * Conversations: people, and the agent of a plan, comment on an approval request or a change request without a
 * decision.
 *
 * Owns comments and their recipients. Invariants: a comment never changes and decides nothing. Secrets in it are masked
 * before it is kept. The audit log fixes it by digest, and it is part of the evidence. Its author is never a recipient.
 * Agents comment only on requests for their own plans, a few times until a person answers. Their comments never leave
 * by mail, push or Slack.
 *
 * Never changes a request, a change or a vote.
 */
export { commentEntity, commentRecipientEntity } from './adapters/comment.entity.js';
export { AddComment } from './application/add-comment.js';
export type { SeenComment, UnreadComment } from './application/conversation.ports.js';
export { ReadComments } from './application/read-comments.js';
export type { Subject } from './domain/comment.js';
export { createConversations, createConversationStore } from './create-conversations.js';
