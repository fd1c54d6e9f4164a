import {
  err,
  notFound,
  ok,
  type Failure,
  type PersonPrincipal,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { Subject } from '../domain/comment.js';
import type { CommentRepository, NamedComment, RecipientRepository, UnreadComment } from './conversation.ports.js';

interface Page {
  readonly limit: number;
  readonly after: { readonly at: number; readonly id: string } | null;
}

/** Reads conversations, and the unread comments of a person. */
export class ReadComments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly comments: CommentRepository,
    private readonly recipients: RecipientRepository,
  ) {}

  /** In the order in which they were written. Failures: `resource.not_found`. */
  of(by: Principal, subject: Subject, page: Page): Promise<Result<readonly NamedComment[]>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const topic = await this.comments.topic(tx, subject);
      if (topic === null) return err(notSaidOf(subject));
      return ok((await this.comments.list(tx, subject, page)).map((each) => namedFor(by, each)));
    });
  }

  /** Newest first. */
  unread(by: PersonPrincipal, page: Page): Promise<readonly UnreadComment[]> {
    return this.uow.run(by.tenantId, (tx) => this.recipients.unread(tx, by.personId, page));
  }

  /** A page shows the conversation to this person. Failures: `resource.not_found`. */
  read(by: PersonPrincipal, subject: Subject): Promise<Result<undefined>> {
    return this.uow.run(by.tenantId, async (tx) => {
      if ((await this.comments.topic(tx, subject)) === null) return err(notSaidOf(subject));
      await this.recipients.read(tx, by.personId, subject, await tx.now());
      return ok(undefined);
    });
  }
}

const notSaidOf = ({ type }: Subject): Failure => notFound(type === 'change_request' ? 'change' : 'approval request');

/** Agents are shown no addresses. */
const namedFor = ({ kind }: Principal, named: NamedComment): NamedComment =>
  kind === 'person' ? named : { ...named, authorName: named.authorNameForAgents };
