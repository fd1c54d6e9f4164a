import type { AgentId, ApprovalRequestId, ChangeRequestId, CommentId, CredentialId, PersonId } from '#lib/kernel';
import type { NamedComment } from '../application/conversation.ports.js';
import type { Comment } from '../domain/comment.js';

export interface CommentRow {
  readonly id: string;
  readonly request_id: string | null;
  readonly change_id: string | null;
  readonly agent_id: string | null;
  readonly person_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential_id: string;
  readonly body: string;
  readonly slack_channel: string | null;
  readonly created_at: Date;
  readonly agent_name: string | null;
  readonly shown_name: string | null;
  readonly display_name: string | null;
}

/** Comments with the names of their authors; what follows adds the rest of the query. */
export const COMMENT = `select comment.id, comment.request_id, comment.change_id, comment.agent_id, comment.person_id,
    comment.on_behalf_of, comment.credential_id, comment.body, comment.slack_channel, comment.created_at,
    agent.name as agent_name, countersign_shown_name(person) as shown_name, person.display_name
  from comment
  left join agent on agent.tenant_id = comment.tenant_id and agent.id = comment.agent_id
  left join person on person.tenant_id = comment.tenant_id and person.id = comment.person_id`;

export function namedOf(row: CommentRow): NamedComment {
  const agentName = row.agent_name ?? '';
  return {
    comment: commentOf(row),
    authorName: row.person_id === null ? agentName : (row.shown_name ?? ''),
    authorNameForAgents: row.person_id === null ? agentName : (row.display_name ?? ''),
  };
}

export const commentOf = (row: CommentRow): Comment => ({
  id: row.id as CommentId,
  subject:
    row.request_id === null
      ? { type: 'change_request', id: row.change_id as ChangeRequestId }
      : { type: 'approval_request', id: row.request_id as ApprovalRequestId },
  author:
    row.person_id === null
      ? { kind: 'agent', id: row.agent_id as AgentId, onBehalfOf: row.on_behalf_of as PersonId | null }
      : { kind: 'person', id: row.person_id as PersonId, onBehalfOf: null },
  credentialId: row.credential_id as CredentialId,
  body: row.body,
  via: row.slack_channel === null ? { kind: 'api' } : { kind: 'slack', channel: row.slack_channel },
  createdAt: row.created_at.getTime(),
});
