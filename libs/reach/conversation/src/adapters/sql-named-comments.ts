import type { RowOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import type { NamedComment } from '../application/conversation.ports.js';
import type { Author, Comment, Subject } from '../domain/comment.js';
import { commentEntity } from './comment.entity.js';

const AGENT = agentEntity.as('agent');
const PERSON = personEntity.as('person');
const COMMENT = commentEntity.as('comment');

type Row = RowOf<typeof commentEntity>;

const ALL = commentEntity.all;

/** The names of a comment's author, as {@link NAMED_COMMENT} reads them. */
export interface AuthorNames {
  readonly agentName: string | null;
  readonly shownName: string | null;
  readonly displayName: string | null;
}

/** Comments with the names of their authors. The caller adds the conditions. */
export const NAMED_COMMENT = `select ${ALL.columns('comment')},
    ${AGENT.name} as "agentName", countersign_shown_name(person) as "shownName", ${PERSON.displayName} as "displayName"
  from comment
  left join agent on agent.tenant_id = comment.tenant_id and ${AGENT.id} = ${COMMENT.agentId}
  left join person on person.tenant_id = comment.tenant_id and ${PERSON.id} = ${COMMENT.personId}`;

export const storedComment = ({ id, subject, author, credentialId, body, via, createdAt }: Comment): Row => ({
  id,
  subjectType: subject.type,
  subjectId: subject.id,
  authorKind: author.kind,
  agentId: author.kind === 'agent' ? author.id : null,
  personId: author.kind === 'person' ? author.id : null,
  onBehalfOf: author.onBehalfOf,
  credentialId,
  body,
  via: via.kind,
  slackChannel: via.kind === 'slack' ? via.channel : null,
  createdAt,
});

export function namedOf(stored: AuthorNames): NamedComment {
  const row = ALL.row(stored);
  const agentName = row.agentName ?? '';
  return {
    comment: commentOf(row),
    authorName: row.personId === null ? agentName : (row.shownName ?? ''),
    authorNameForAgents: row.personId === null ? agentName : (row.displayName ?? ''),
  };
}

/** @throws {Error} if a row breaks the table's constraints. */
export function commentOf(row: Row): Comment {
  const { id, subjectType: type, subjectId, credentialId, body, slackChannel, createdAt } = row;
  return {
    id,
    // The id is that of a thing of this kind: a foreign key of the table says so.
    subject: { type, id: subjectId } as Subject,
    author: authorOf(row),
    credentialId,
    body,
    via: slackChannel === null ? { kind: 'api' } : { kind: 'slack', channel: slackChannel },
    createdAt,
  };
}

function authorOf({ id, personId, agentId, onBehalfOf }: Row): Author {
  if (personId !== null) return { kind: 'person', id: personId, onBehalfOf: null };
  if (agentId !== null) return { kind: 'agent', id: agentId, onBehalfOf };
  throw new Error(`The comment ${id} has no author.`);
}
