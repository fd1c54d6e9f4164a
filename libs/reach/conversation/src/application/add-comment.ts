import {
  actorOf,
  digestOf,
  err,
  maskSecretText,
  newId,
  notFound,
  ok,
  type AgentPrincipal,
  type AuditSink,
  type Outbox,
  type PersonPrincipal,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
  inPlan,
} from '#lib/kernel';
import { commentDocument, type Author, type Comment, type Subject, type Via } from '../domain/comment.js';
import { decideComment, personOnly } from '../domain/decide-comment.js';
import type { CommentId } from '../domain/ids.js';
import type { CommentRepository, RecipientRepository, SeenComment, Topic } from './conversation.ports.js';

/**
 * A person or an agent comments on a request or a change, without deciding on it. The audit log fixes the comment, and it
 * waits in the inbox of the people it concerns. A person's comment also goes out by the channels that they chose. The answer is the
 * comment as its author reads it.
 *
 * Failures: `resource.not_found`, and those of {@link decideComment}.
 */
export class AddComment {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly comments: CommentRepository,
    private readonly recipients: RecipientRepository,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
  ) {}

  execute(by: Principal, subject: Subject, text: string, via: Via = { kind: 'api' }): Promise<Result<SeenComment>> {
    if (by.kind === 'system') return Promise.resolve(err(personOnly));
    return this.uow.run(by.tenantId, async (tx) => {
      const topic = await this.comments.lockTopic(tx, subject);
      if (topic === null) return err(notFound(subject.type === 'change_request' ? 'change' : 'approval request'));
      const unanswered =
        by.kind === 'agent' && topic.type === 'approval_request' ? await this.comments.unanswered(tx, topic.taskId) : 0;
      const allowed = decideComment(by, topic, text, unanswered);
      if (!allowed.ok) return allowed;
      const comment: Comment = {
        id: newId<CommentId>(),
        subject,
        author: authorOf(by),
        credentialId: by.credentialId,
        body: maskSecretText(text),
        via,
        createdAt: await tx.now(),
      };
      await this.comments.insert(tx, comment);
      await this.#record(tx, comment, topic, by);
      await this.recipients.tell(tx, comment, await this.#told(tx, comment, topic));
      if (by.kind === 'person')
        await this.outbox.write(tx, { topic: 'comment.added', payload: { comment_id: comment.id } });
      return ok({ comment, authorName: await this.#nameOf(tx, by) });
    });
  }

  /** A person's name has a note if it could be taken for another. A comment shows an agent's name without one. */
  #nameOf(tx: Tx, by: PersonPrincipal | AgentPrincipal): Promise<string> {
    return by.kind === 'person' ? this.comments.shownName(tx, by.personId) : Promise.resolve(by.displayName);
  }

  #record(tx: Tx, comment: Comment, topic: Topic, by: PersonPrincipal | AgentPrincipal): Promise<void> {
    return this.audit.record(tx, {
      action: 'comment.added',
      actor: actorOf(by),
      level: topic.level,
      subject: { type: topic.type, id: topic.id },
      ...(topic.type === 'approval_request' ? { within: inPlan(topic) } : {}),
      evidence: [{ kind: 'comment', id: comment.id, digest: digestOf('comment', commentDocument(comment)) }],
      payload: { comment_id: comment.id, comment: comment.body, via: comment.via.kind },
    });
  }

  /** The author is never a recipient. An agent's mentions are ignored. */
  async #told(tx: Tx, { author, body }: Comment, topic: Topic) {
    const concerned = await this.recipients.concerned(tx, topic);
    const mentioned = author.kind === 'person' ? await this.recipients.mentioned(tx, body) : [];
    return [...new Set([...concerned, ...mentioned])].filter((id) => id !== author.id);
  }
}

const authorOf = (by: PersonPrincipal | AgentPrincipal): Author =>
  by.kind === 'person'
    ? { kind: 'person', id: by.personId, onBehalfOf: null }
    : { kind: 'agent', id: by.agentId, onBehalfOf: by.onBehalfOf };
