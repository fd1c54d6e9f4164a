import type { JsonObject } from '#lib/canonical';
import type { AgentId, ApprovalRequestId, ChangeRequestId, CommentId, CredentialId, PersonId } from '#lib/kernel';

/** What is talked about. */
export type Subject =
  | { readonly type: 'approval_request'; readonly id: ApprovalRequestId }
  | { readonly type: 'change_request'; readonly id: ChangeRequestId };

export type Author =
  | { readonly kind: 'person'; readonly id: PersonId; readonly onBehalfOf: null }
  | { readonly kind: 'agent'; readonly id: AgentId; readonly onBehalfOf: PersonId | null };

/** Where a comment was written; over the API is also in the browser. */
export type Via = { readonly kind: 'api' } | { readonly kind: 'slack'; readonly channel: string };

/** What somebody said of a subject without deciding on it; it never changes. Times are epoch milliseconds. */
export interface Comment {
  readonly id: CommentId;
  readonly subject: Subject;
  readonly author: Author;
  readonly credentialId: CredentialId;
  /** With secrets masked. */
  readonly body: string;
  readonly via: Via;
  readonly createdAt: number;
}

/** The comment as its entry fixes it, and the evidence holds it. */
export const commentDocument = ({ id, subject, author, credentialId, body, via, createdAt }: Comment): JsonObject => ({
  id,
  subject: { ...subject },
  author: { kind: author.kind, id: author.id, on_behalf_of: author.onBehalfOf },
  credential_id: credentialId,
  body,
  via: via.kind,
  created_at: createdAt,
});
