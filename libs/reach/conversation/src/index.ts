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
export { commentEntity, commentRecipientEntity } from './adapters/comment.entity.js';
export { AddComment } from './application/add-comment.js';
export type { NamedComment, UnreadComment } from './application/conversation.ports.js';
export { ReadComments } from './application/read-comments.js';
export type { Subject } from './domain/comment.js';
export { createConversations } from './create-conversations.js';
