import type { CommentDocument } from '#lib/formats';
import type { AgentId, ApprovalRequestId, ChangeRequestId, CredentialId, PersonId } from '#lib/kernel';
import type { CommentId } from './ids.js';

/** The subject of a conversation. */
export type Subject =
  | { readonly type: 'approval_request'; readonly id: ApprovalRequestId }
  | { readonly type: 'change_request'; readonly id: ChangeRequestId };

export type Author =
  | { readonly kind: 'person'; readonly id: PersonId; readonly onBehalfOf: null }
  | { readonly kind: 'agent'; readonly id: AgentId; readonly onBehalfOf: PersonId | null };

/** The way in which a comment was written. The browser uses the API. */
export type Via = { readonly kind: 'api' } | { readonly kind: 'slack'; readonly channel: string };

/** A remark on a subject that decides nothing and never changes. Times are epoch milliseconds. */
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

/** The comment as its audit entry fixes it and the evidence holds it. */
export const commentDocument = ({
  id,
  subject,
  author,
  credentialId,
  body,
  via,
  createdAt,
}: Comment): CommentDocument => ({
  id,
  subject: { ...subject },
  author: { kind: author.kind, id: author.id, on_behalf_of: author.onBehalfOf },
  credential_id: credentialId,
  body,
  via: via.kind,
  created_at: createdAt,
});
