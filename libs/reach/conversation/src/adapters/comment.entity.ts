import { entity, moment, nullable, text, uuid } from '#lib/database';
import type { AgentId, CredentialId, PersonId } from '#lib/kernel';
import type { Author, Subject, Via } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';

export const commentEntity = entity(
  'comment',
  { id: uuid<CommentId>() },
  {
    subjectType: text<Subject['type']>(),
    subjectId: uuid<Subject['id']>(),
    authorKind: text<Author['kind']>(),
    agentId: nullable(uuid<AgentId>()),
    personId: nullable(uuid<PersonId>()),
    onBehalfOf: nullable(uuid<PersonId>()),
    credentialId: uuid<CredentialId>(),
    body: text(),
    via: text<Via['kind']>(),
    slackChannel: nullable(text()),
    createdAt: moment(),
  },
);

/** People that a comment concerns. */
export const commentRecipientEntity = entity(
  'comment_recipient',
  { commentId: uuid<CommentId>(), personId: uuid<PersonId>() },
  { subjectId: uuid<Subject['id']>(), createdAt: moment(), readAt: nullable(moment()) },
);
