import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AgentId, ApprovalRequestId, Digest, PageRequest, PersonId, PlanId, TaskId, Tx } from '#lib/kernel';
import {
  isLive,
  type ApprovalRequest,
  type AskedSubject,
  type UndecidedRequest,
  type Review,
  type SubjectKey,
  type LiveRequest,
} from '../domain/approval-request.js';
import { APPROVAL_TRANSITIONS } from '../domain/approval-transitions.js';
import type { ReviewId } from '../domain/ids.js';
import { rankOfLevel } from '../domain/request-risk.js';
import type { RequestOfTask } from '../domain/task-history.js';
import type { ApprovalRepository, PlanAbout, QueueKey, RecordedReview, RequestFilter } from './approval.ports.js';
import { compareKeys } from './fake-order.js';

/** Facts of earlier stages about a plan; lists are filtered by them. */
export interface FakePlanAbout {
  readonly taskId: TaskId;
  readonly revision: number;
  readonly about: PlanAbout;
  readonly targets: readonly string[];
}

interface RequestRow {
  /** The request as it was opened: no later save changes this. */
  readonly opened: UndecidedRequest;
  readonly request: ApprovalRequest;
}

interface ReviewRow {
  readonly requestId: ApprovalRequestId;
  readonly review: RecordedReview;
}

type Mine = Pick<Tx, 'tenantId'>;

const isOfTask = (subject: AskedSubject, taskId: TaskId): boolean =>
  subject.type === 'plan' && subject.taskId === taskId;
const queueKey = ({ risk, targets, expiresAt, id }: QueueKey) => [-rankOfLevel(risk), -targets, expiresAt, id];

/** Keeps approval requests and reviews in memory. Every row counts as sealed by its writer. */
export class FakeApprovalRepository implements ApprovalRepository {
  readonly #requests: FakeTable<RequestRow>;
  readonly #reviews: FakeTable<ReviewRow>;
  /** By plan. */
  readonly plans: FakeTable<FakePlanAbout>;
  /** Names, by id. */
  readonly environments: FakeTable<string>;
  /** By agent. */
  readonly owners: FakeTable<PersonId>;

  constructor(uow: FakeUnitOfWork) {
    this.#requests = new FakeTable(uow);
    this.#reviews = new FakeTable(uow);
    this.plans = new FakeTable(uow);
    this.environments = new FakeTable(uow);
    this.owners = new FakeTable(uow);
  }

  /** All of this tenant. */
  all(tx: Mine): ApprovalRequest[] {
    return [...this.#requests.of(tx).values()].map(({ request }) => request);
  }

  async insert(tx: Tx, request: ApprovalRequest): Promise<void> {
    if (request.state !== 'open') throw new FakeRefusal('CS002', `no transition from "" to "${request.state}"`);
    if ((await this.lockLive(tx, request.subject)) !== null)
      throw new FakeRefusal('23505', 'one live request a subject');
    this.#requests.of(tx).set(request.id, { opened: request, request });
  }

  find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return Promise.resolve(this.#requests.of(tx).get(id)?.request ?? null);
  }

  lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.find(tx, id);
  }

  lockLive(tx: Tx, { id }: SubjectKey): Promise<LiveRequest | null> {
    return Promise.resolve(
      this.all(tx)
        .filter(isLive)
        .find((request) => request.subject.id === id) ?? null,
    );
  }

  save(tx: Tx, request: ApprovalRequest): Promise<void> {
    const row = this.#requests.of(tx).get(request.id);
    if (row === undefined) throw new Error(`approval request ${request.id} was to be saved and is not there`);
    requireTransition(APPROVAL_TRANSITIONS, row.request.state, request.state);
    this.#set(tx, row.opened, request);
    return Promise.resolve();
  }

  holdBack(tx: Tx, id: ApprovalRequestId, until: number): Promise<void> {
    const row = this.#requests.of(tx).get(id);
    if (row !== undefined) this.#set(tx, { ...row.opened, startAfter: until }, row.request);
    return Promise.resolve();
  }

  async list(tx: Tx, filter: RequestFilter, page: PageRequest): Promise<readonly ApprovalRequest[]> {
    const now = await tx.now();
    const wanted = this.all(tx).filter((request) => this.#matches(tx, request, filter, now));
    return fakePage(wanted, ({ openedAt }) => openedAt, page);
  }

  ofTask(tx: Tx, taskId: TaskId): Promise<readonly RequestOfTask[]> {
    const found = this.all(tx)
      .sort((one, other) => compareKeys([one.openedAt, one.id], [other.openedAt, other.id]))
      .flatMap(({ id, subject, state, openedAt }) => {
        if (subject.type !== 'plan' || subject.taskId !== taskId) return [];
        return [{ id, planId: subject.id, revision: this.#about(tx, subject.id).revision, state, openedAt }];
      });
    return Promise.resolve(found);
  }

  approvedBy(tx: Tx, taskId: TaskId, personId: PersonId): Promise<readonly ApprovalRequest[]> {
    const approved = this.all(tx).filter(
      ({ id, subject }) => isOfTask(subject, taskId) && this.#reviewOf(tx, id, personId)?.verdict === 'approve',
    );
    return Promise.resolve(fakePage(approved, ({ openedAt }) => openedAt, { limit: 20, after: null }));
  }

  async waiting(
    tx: Tx,
    personId: PersonId,
    { limit, after }: { readonly limit: number; readonly after: QueueKey | null },
  ): Promise<readonly ApprovalRequest[]> {
    const filter = { undecided: true, notReviewedBy: personId } as const;
    const now = await tx.now();
    return this.all(tx)
      .filter((request) => this.#matches(tx, request, filter, now))
      .filter((request) => after === null || compareKeys(queueKey(request), queueKey(after)) > 0)
      .sort((one, other) => compareKeys(queueKey(one), queueKey(other)))
      .slice(0, limit);
  }

  about(tx: Tx, ids: readonly ApprovalRequestId[]): Promise<ReadonlyMap<ApprovalRequestId, PlanAbout>> {
    const known = this.all(tx).flatMap(({ id, subject }) =>
      subject.type === 'plan' && ids.includes(id) ? [[id, this.#about(tx, subject.id).about] as const] : [],
    );
    return Promise.resolve(new Map(known));
  }

  async identical(tx: Tx, agentId: AgentId, content: Digest): Promise<ApprovalRequest | null> {
    const now = await tx.now();
    const same = this.all(tx).filter(
      (request) => request.contentDigest === content && this.#matches(tx, request, { agentId, undecided: true }, now),
    );
    return same.sort((one, other) => compareKeys([one.openedAt, one.id], [other.openedAt, other.id]))[0] ?? null;
  }

  insertReview(tx: Tx, requestId: ApprovalRequestId, review: Review, replaced: ReviewId | null): Promise<void> {
    const earlier = replaced === null ? undefined : this.#reviews.of(tx).get(replaced);
    if (earlier?.review.replacedAt === null)
      this.#reviews
        .of(tx)
        .set(earlier.review.id, { ...earlier, review: { ...earlier.review, replacedAt: review.createdAt } });
    if (!this.#requests.of(tx).has(requestId)) throw new FakeRefusal('23503', 'a review of no request');
    if (this.#reviewOf(tx, requestId, review.personId) !== undefined)
      throw new FakeRefusal('23505', 'one review a person');
    this.#reviews.of(tx).set(review.id, { requestId, review: { ...review, replacedAt: null } });
    return Promise.resolve();
  }

  async reviews(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Review[]> {
    return (await this.reviewHistory(tx, requestId)).filter(({ replacedAt }) => replacedAt === null);
  }

  async reviewsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
  ): Promise<ReadonlyMap<ApprovalRequestId, readonly Review[]>> {
    const found = new Map<ApprovalRequestId, readonly Review[]>();
    for (const id of requestIds) {
      const reviews = await this.reviews(tx, id);
      if (reviews.length > 0) found.set(id, reviews);
    }
    return found;
  }

  reviewHistory(tx: Tx, requestId: ApprovalRequestId): Promise<readonly RecordedReview[]> {
    const reviews = [...this.#reviews.of(tx).values()]
      .filter((row) => row.requestId === requestId)
      .map(({ review }) => review)
      .sort((one, other) => compareKeys([one.createdAt, one.id], [other.createdAt, other.id]));
    return Promise.resolve(reviews);
  }

  /** Keeps the facts with which the request was opened. */
  #set(tx: Mine, opened: UndecidedRequest, request: ApprovalRequest): void {
    const kept = { ...request, ...opened, state: request.state } as ApprovalRequest;
    this.#requests.of(tx).set(opened.id, { opened, request: kept });
  }

  #about(tx: Mine, planId: PlanId): FakePlanAbout {
    const about = this.plans.of(tx).get(planId);
    if (about === undefined) throw new Error(`the test has told nothing of the plan ${planId}`);
    return about;
  }

  /** The one of this person that counts. */
  #reviewOf(tx: Mine, id: ApprovalRequestId, personId: PersonId): Review | undefined {
    const counting = ({ requestId, review }: ReviewRow): boolean =>
      requestId === id && review.personId === personId && review.replacedAt === null;
    return [...this.#reviews.of(tx).values()].find(counting)?.review;
  }

  #matches(tx: Mine, request: ApprovalRequest, filter: RequestFilter, now: number): boolean {
    if (filter.search !== undefined || filter.tool !== undefined) throw new Error('nobody asks a fake for that');
    const { id, subject, requester } = request;
    const reviewed = (by: PersonId): boolean => this.#reviewOf(tx, id, by) !== undefined;
    const asked = (by: PersonId): boolean => requester.id === by || requester.onBehalfOf === by;
    const startable = (by: PersonId): boolean =>
      request.state === 'approved' &&
      request.start.kind === 'manual' &&
      request.approvalExpiresAt > now &&
      (asked(by) || this.owners.of(tx).get(requester.id) === by);
    const holds = <Value>(wanted: Value | undefined, test: (value: Value) => boolean): boolean =>
      wanted === undefined || test(wanted);
    return (
      holds(filter.state, (state) => request.state === state) &&
      holds(filter.undecided, () => request.state === 'open' && request.expiresAt > now) &&
      holds(filter.startableBy, startable) &&
      holds(filter.reviewedBy, reviewed) &&
      holds(filter.notReviewedBy, (by) => !reviewed(by)) &&
      holds(filter.subject, (wanted) => subject.id === wanted.id) &&
      holds(filter.taskId, (wanted) => isOfTask(subject, wanted)) &&
      holds(filter.environment, (name) => this.environments.of(tx).get(request.environmentId) === name) &&
      holds(
        filter.target,
        (target) => subject.type === 'plan' && this.#about(tx, subject.id).targets.includes(target),
      ) &&
      holds(filter.agentId, (agentId) => requester.id === agentId) &&
      holds(filter.personId, (by) => asked(by) || reviewed(by)) &&
      holds(filter.from, (from) => request.openedAt >= from) &&
      holds(filter.until, (until) => request.openedAt < until)
    );
  }
}
