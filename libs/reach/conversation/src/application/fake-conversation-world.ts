import type { ApprovalState } from '#lib/formats';
import {
  newId,
  type ApprovalRequestId,
  type ChangeRequestId,
  type PersonPrincipal,
  type PlanId,
  type TaskId,
  type Tx,
} from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { createConversations } from '../create-conversations.js';
import type { Subject } from '../domain/comment.js';
import type { Topic } from './conversation.ports.js';
import { FakeConversation } from './fake-conversation.js';

/** Conversations of a tenant in memory. */
export class FakeConversationWorld {
  readonly tenant = sampleTenant();
  readonly uow = new FakeUnitOfWork();
  readonly conversation = new FakeConversation(this.uow);
  readonly #audit = new FakeAuditSink(this.uow);
  readonly #outbox = new FakeOutbox(this.uow);
  readonly #parts = createConversations({
    ...{ uow: this.uow, audit: this.#audit, outbox: this.#outbox },
    rows: { comments: this.conversation, recipients: this.conversation },
    publicUrl: 'https://countersign.example/',
  });
  readonly adding = this.#parts.addComment;
  readonly reading = this.#parts.readComments;
  readonly replies = this.#parts.slackReplies;
  readonly commentNotices = this.#parts.commentNotices;

  constructor() {
    for (const person of [this.tenant.owner, this.tenant.admin]) this.#participant(person, person.displayName);
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  person(displayName: string): PersonPrincipal {
    const person = { ...samplePerson(this.tenant.tenantId), displayName };
    this.#participant(person, displayName);
    return person;
  }

  /** A request of the tenant's agent for a plan of its own. */
  request(more: { readonly state?: ApprovalState; readonly taskId?: TaskId } = {}) {
    const topic = {
      type: 'approval_request',
      id: newId<ApprovalRequestId>(),
      state: 'open',
      headline: 'execute_rollout_prod on 3 targets, revision 1',
      taskId: newId<TaskId>(),
      planId: newId<PlanId>(),
      planAgentId: this.tenant.agent.agentId,
      environment: this.tenant.production.name,
      level: 'full_with_evidence',
      ...more,
    } as const satisfies Topic;
    this.#keep(topic, this.tenant.owner);
    return topic;
  }

  /** A change that the admin asked for. */
  change() {
    const id = newId<ChangeRequestId>();
    const topic = { type: 'change_request', id, headline: 'The executors', level: 'full_with_evidence' } as const;
    this.#keep(topic, this.tenant.admin);
    return topic;
  }

  /** The bodies of all comments on a subject, in order. */
  async said({ type, id }: Topic): Promise<readonly string[]> {
    const subject = { type, id } as Subject;
    const found = await this.inTx((tx) => this.conversation.list(tx, subject, { limit: 99, after: null }));
    return found.map(({ comment }) => comment.body);
  }

  get audited() {
    return this.#audit.of(this.tenant);
  }

  get notices() {
    return this.#outbox.of(this.tenant);
  }

  #keep(topic: Topic, { personId: askedBy }: PersonPrincipal): void {
    this.conversation.topics.of(this.tenant).set(topic.id, { topic, askedBy, reviews: [], claimedBy: null });
  }

  #participant({ personId: id }: PersonPrincipal, displayName: string): void {
    const email = `p-${id}@example.com`;
    this.conversation.people.of(this.tenant).set(id, { id, displayName, email, disabled: false });
  }
}
