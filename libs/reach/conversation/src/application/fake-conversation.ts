import type { PersonId, PlanId, TaskId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Comment, Subject } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';
import { mentions } from '../domain/mentions.js';
import type {
  CommentRepository,
  NamedComment,
  RecipientRepository,
  Topic,
  UnreadComment,
} from './conversation.ports.js';

/** A subject with the people who took part in it, as other libraries know them. */
export interface FakeTopic {
  readonly topic: Topic;
  /** The person who asked, or is accountable for the agent that did. */
  readonly askedBy: PersonId;
  readonly reviews: readonly { readonly by: PersonId; readonly at: number }[];
  readonly claimedBy: PersonId | null;
}

export interface FakeParticipant {
  readonly id: PersonId;
  readonly displayName: string;
  readonly email: string;
  readonly disabled: boolean;
}

interface Recipient {
  readonly personId: PersonId;
  readonly comment: Comment;
  readonly readAt: number | null;
}

type Page = Parameters<CommentRepository['list']>[2];

/** Keeps comments and their recipients in memory. The test sets their subjects and the people. */
export class FakeConversation implements CommentRepository, RecipientRepository {
  /** By id of the subject. */
  readonly topics: FakeTable<FakeTopic>;
  /** By person. */
  readonly people: FakeTable<FakeParticipant>;
  readonly #comments: FakeTable<Comment>;
  readonly #recipients: FakeTable<Recipient>;

  constructor(database: FakeUnitOfWork) {
    this.topics = new FakeTable(database);
    this.people = new FakeTable(database);
    this.#comments = new FakeTable(database);
    this.#recipients = new FakeTable(database);
  }

  lockTopic(tx: Tx, subject: Subject): Promise<Topic | null> {
    return this.topic(tx, subject);
  }

  topic(tx: Tx, { type, id }: Subject): Promise<Topic | null> {
    const topic = this.topics.of(tx).get(id)?.topic;
    return Promise.resolve(topic?.type === type ? topic : null);
  }

  unanswered(tx: Tx, taskId: TaskId): Promise<number> {
    const ofTask = this.#ofTask(tx, taskId);
    const said = this.#inOrder(tx).filter(({ subject }) => ofTask.some(({ topic }) => topic.id === subject.id));
    const answers = [
      ...said.filter(({ author }) => author.kind === 'person').map(({ createdAt }) => createdAt),
      ...ofTask.flatMap(({ reviews }) => reviews.map(({ at }) => at)),
    ];
    const last = Math.max(Number.NEGATIVE_INFINITY, ...answers);
    return Promise.resolve(said.filter(({ author, createdAt }) => author.kind === 'agent' && createdAt > last).length);
  }

  insert(tx: Tx, comment: Comment): Promise<void> {
    if (this.#comments.of(tx).has(comment.id)) throw new FakeRefusal('23505', 'comment_pk');
    this.#comments.of(tx).set(comment.id, comment);
    return Promise.resolve();
  }

  shownName(_tx: Tx, id: PersonId): Promise<string> {
    return Promise.resolve(shownNameOf(id));
  }

  find(tx: Tx, id: CommentId): Promise<NamedComment | null> {
    const comment = this.#comments.of(tx).get(id);
    return Promise.resolve(comment === undefined ? null : named(comment));
  }

  list(tx: Tx, subject: Subject, { limit, after }: Page): Promise<readonly NamedComment[]> {
    const wanted = this.#inOrder(tx).filter(
      (comment) => comment.subject.id === subject.id && (after === null || isBefore(keyOf(after), keyOf(comment))),
    );
    return Promise.resolve(wanted.slice(0, limit).map(named));
  }

  ofPlan(tx: Tx, planId: PlanId): Promise<readonly Comment[]> {
    const about = (id: string): boolean => {
      const topic = this.topics.of(tx).get(id)?.topic;
      return topic?.type === 'approval_request' && topic.planId === planId;
    };
    return Promise.resolve(this.#inOrder(tx).filter(({ subject }) => about(subject.id)));
  }

  ofChange(tx: Tx, changeId: Subject['id']): Promise<readonly Comment[]> {
    return Promise.resolve(this.#inOrder(tx).filter(({ subject }) => subject.id === changeId));
  }

  concerned(tx: Tx, topic: Topic): Promise<readonly PersonId[]> {
    const found = this.topics.of(tx).get(topic.id);
    if (found === undefined) return Promise.resolve([]);
    const ofTask = topic.type === 'approval_request' ? this.#ofTask(tx, topic.taskId) : [];
    const people = new Set<PersonId | null>([
      found.askedBy,
      found.claimedBy,
      ...ofTask.flatMap(({ reviews }) => reviews.map(({ by }) => by)),
      ...this.#inOrder(tx).flatMap(({ subject, author }) =>
        subject.id === topic.id && author.kind === 'person' ? [author.id] : [],
      ),
    ]);
    return Promise.resolve(this.#enabled(tx).filter((id) => people.has(id)));
  }

  mentioned(tx: Tx, text: string): Promise<readonly PersonId[]> {
    return Promise.resolve(
      this.#enabled(tx).filter((id) => {
        const person = this.people.of(tx).get(id);
        return person !== undefined && (mentions(text, person.displayName) || mentions(text, person.email));
      }),
    );
  }

  tell(tx: Tx, comment: Comment, people: readonly PersonId[]): Promise<void> {
    for (const personId of people)
      this.#recipients.of(tx).set(`${comment.id} ${personId}`, { personId, comment, readAt: null });
    return Promise.resolve();
  }

  told(tx: Tx, id: CommentId): Promise<readonly PersonId[]> {
    const recipients = [...this.#recipients.of(tx).values()].filter(({ comment }) => comment.id === id);
    return Promise.resolve(recipients.map(({ personId }) => personId).sort());
  }

  unread(tx: Tx, personId: PersonId, { limit, after }: Page): Promise<readonly UnreadComment[]> {
    const waiting = [...this.#recipients.of(tx).values()]
      .filter((each) => each.personId === personId && each.readAt === null)
      .map(({ comment }) => comment)
      .filter((comment) => after === null || isBefore(keyOf(comment), keyOf(after)))
      .sort((a, b) => (isBefore(keyOf(a), keyOf(b)) ? 1 : -1));
    return Promise.resolve(
      waiting.slice(0, limit).map((comment) => {
        const { headline = '' } = this.topics.of(tx).get(comment.subject.id)?.topic ?? {};
        return { ...named(comment), headline };
      }),
    );
  }

  read(tx: Tx, personId: PersonId, subject: Subject, at: number): Promise<void> {
    for (const [key, each] of [...this.#recipients.of(tx)])
      if (each.personId === personId && each.comment.subject.id === subject.id && each.readAt === null)
        this.#recipients.of(tx).set(key, { ...each, readAt: at });
    return Promise.resolve();
  }

  #inOrder(tx: Tx): readonly Comment[] {
    return [...this.#comments.of(tx).values()].sort((a, b) => (isBefore(keyOf(a), keyOf(b)) ? -1 : 1));
  }

  #ofTask(tx: Tx, taskId: TaskId): readonly FakeTopic[] {
    return [...this.topics.of(tx).values()].filter(
      ({ topic }) => topic.type === 'approval_request' && topic.taskId === taskId,
    );
  }

  #enabled(tx: Tx): readonly PersonId[] {
    return [...this.people.of(tx).values()]
      .filter(({ disabled }) => !disabled)
      .map(({ id }) => id)
      .sort();
  }
}

interface Key {
  readonly at: number;
  readonly id: string;
}

const keyOf = (of: Key | Comment): Key => ('at' in of ? of : { at: of.createdAt, id: of.id });

const isBefore = (a: Key, b: Key): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);

const shownNameOf = (id: string): string => `name of ${id} (with an address)`;

const named = (comment: Comment): NamedComment => ({
  comment,
  authorName: shownNameOf(comment.author.id),
  authorNameForAgents: `name of ${comment.author.id}`,
});
