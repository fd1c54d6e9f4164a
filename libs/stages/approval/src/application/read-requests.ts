import type { Decision } from '#lib/formats';
import {
  err,
  notFound,
  ok,
  type ApprovalRequestId,
  type PageRequest,
  type PersonId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { shareSeat, WAYS_TO_A_VOTE, WAYS_TO_THEIR_VOTE } from '#lib/identity';
import type { ApprovalRequest, Review } from '../domain/approval-request.js';
import { currentBinding, type ApprovalSubject } from '../domain/approval-subject.js';
import { compareBindings, type BindingDifference } from '../domain/binding.js';
import { changesBetween, type ChangesSince } from '../domain/changes-between.js';
import { approversIn, quorumOf } from '../domain/decide-review.js';
import { excludedToday } from '../domain/excluded-people.js';
import type { Approver, Quorum } from '../domain/match-quorum.js';
import { namePeople, namesFor } from '../domain/name-people.js';
import { peopleInReviews } from '../domain/people-in-reviews.js';
import type { Claim } from '../domain/claim.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import { wayOut } from '../domain/ways-out.js';
import type {
  ApprovalRepository,
  ApprovalSubjects,
  CallSubjects,
  ClaimRepository,
  People,
  QueuedAbout,
  RecordedReview,
  ReminderRepository,
  RequestAsLeft,
  RequestFilter,
} from './approval.ports.js';
import type { AskReview } from './ask-review.js';
import type { ReadTaskHistory, RequestHistory } from './read-task-history.js';

/** A request with how far it has come. */
export interface RequestOverview {
  readonly request: ApprovalRequest;
  readonly quorum: Quorum;
  /** Those that count, in the order they were given. */
  readonly reviews: readonly Review[];
  /** The people named in it. */
  readonly people: ReadonlyMap<PersonId, PersonStanding>;
  /** The claim of the person who looks at it; null if none does. */
  readonly claim: Claim | null;
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
}

/** A request with everything that its approvers see. */
export interface RequestDetail extends RequestOverview, RequestHistory {
  readonly subject: ApprovalSubject;
  readonly reviews: readonly RecordedReview[];
  /** Policy's decision on the reader's approval now; not recorded, since nothing is done by it. */
  readonly mayReview: Decision;
  /** The next step of a reader who may not review, or with an approval that would count for nothing. Null if it counts. */
  readonly wayOut: string | null;
  /** The approvers who share a vote with the reader. */
  readonly sharesVoteWith: readonly PersonId[];
  /** How people get a vote of their own, if a shared one keeps any of them from this request. */
  readonly waysToAVote: string | null;
  readonly changedSinceOpened: readonly BindingDifference[];
  readonly changesSinceMyReview: ChangesSince | null;
  /** The autonomy document's escalation of the undecided request, and whether it was told; null if there is none. */
  readonly escalation: { readonly at: number; readonly roles: readonly string[]; readonly told: boolean } | null;
}

/** A request of a list, with its subject. */
export interface ListedRequest extends RequestOverview {
  readonly about: QueuedAbout;
}

/** One page of the requests that somebody may review. It may hold fewer than asked for and still not be the last. */
export interface ReviewablePage {
  readonly items: readonly ListedRequest[];
  /** The last row that was looked at, if more may follow; null at the end. */
  readonly next: ApprovalRequest | null;
}

/** How many requests one call looks through for those that the caller may review. */
const MAX_LOOKED_AT = 1_000;
const CHUNK = 200;

interface ReadRequestsDeps {
  readonly uow: UnitOfWork;
  readonly requests: Pick<
    ApprovalRepository,
    'about' | 'approvedBy' | 'find' | 'list' | 'reviewHistory' | 'reviews' | 'reviewsOf'
  >;
  readonly subjects: ApprovalSubjects;
  readonly calls: Pick<CallSubjects, 'about'>;
  readonly people: People;
  readonly asking: AskReview;
  readonly claims: ClaimRepository;
  readonly reminders: ReminderRepository;
  readonly history: ReadTaskHistory;
}

/** Reads approval requests as people see them; every shown decision is taken again when a person acts on it. */
export class ReadRequests {
  constructor(private readonly deps: ReadRequestsDeps) {}

  /** Newest first. */
  list(principal: Principal, filter: RequestFilter, page: PageRequest): Promise<readonly ListedRequest[]> {
    return this.deps.uow.run(principal.tenantId, async (tx) =>
      this.listed(tx, principal, await this.deps.requests.list(tx, filter, page), await tx.now()),
    );
  }

  /** Open requests that policy lets the caller approve now, newest first. */
  reviewable(principal: Principal, filter: RequestFilter, page: PageRequest): Promise<ReviewablePage> {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const question = await this.deps.asking.question(tx, principal);
      const found: ApprovalRequest[] = [];
      let next: ApprovalRequest | null = null;
      for (let looked = 0; looked < MAX_LOOKED_AT && found.length < page.limit; looked += CHUNK) {
        const after: PageRequest['after'] = next === null ? page.after : { at: next.openedAt, id: next.id };
        const chunk = await this.deps.requests.list(tx, { ...filter, state: 'open' }, { limit: CHUNK, after });
        const may = (request: ApprovalRequest): boolean =>
          this.deps.asking.decide(request, question).outcome === 'allow';
        const mine = chunk.filter(may).slice(0, page.limit - found.length);
        found.push(...mine);
        // If the page is full, the next one begins after its last row; else after the last row read.
        next = (found.length === page.limit ? mine.at(-1) : chunk.length < CHUNK ? undefined : chunk.at(-1)) ?? null;
        if (next === null) break;
      }
      return { items: await this.listed(tx, principal, found, question.now), next };
    });
  }

  /** Failures: `resource.not_found`. */
  overview(principal: Principal, id: ApprovalRequestId): Promise<Result<RequestOverview>> {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const [request, now] = await Promise.all([this.deps.requests.find(tx, id), tx.now()]);
      const [overview] = request === null ? [] : await this.overviews(tx, principal, [request], now);
      return overview === undefined ? err(notFound('approval request')) : ok(overview);
    });
  }

  /** Failures: `resource.not_found`. */
  get(principal: Principal, id: ApprovalRequestId): Promise<Result<RequestDetail>> {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const request = await this.deps.requests.find(tx, id);
      if (request === null) return err(notFound('approval request'));
      // None of these waits for another: their statements travel together.
      const [subject, question, reviews, history, escalation] = await Promise.all([
        this.deps.subjects.read(tx, request.subject),
        this.deps.asking.question(tx, principal),
        this.deps.requests.reviewHistory(tx, id),
        this.deps.history.around(tx, request),
        this.deps.reminders.escalation(tx, id),
      ]);
      if (subject === null) return err(notFound('approval request'));
      // A decided request stays as it was; the excluded people of an open one follow from today's records.
      const asked = request.state === 'open' ? { ...request, excluded: excludedToday(subject, request) } : request;
      const claim = await this.deps.claims.claim(tx, id, question.now);
      const readers = principal.kind === 'person' ? [principal.personId] : [];
      const people = await this.deps.people.standing(tx, [
        ...readers,
        ...asked.excluded.map(({ personId }) => personId),
        ...peopleInReviews(reviews),
        ...history.changesAsked.map(({ personId }) => personId),
        ...(claim === null ? [] : [claim.personId]),
      ]);
      const changedSinceOpened = compareBindings(request.binding, currentBinding(subject));
      const mayReview = this.deps.asking.decide(asked, { ...question, digestsMatch: changedSinceOpened.length === 0 });
      const counted = reviews.filter(({ replacedAt }) => replacedAt === null);
      const sharesVoteWith = sharing(this.deps.asking.seatOf(asked, question), approversIn(counted));
      return ok({
        ...history,
        request: asked,
        subject,
        reviews,
        people: namesFor(principal, people),
        claim,
        now: question.now,
        quorum: quorumOf(request, counted),
        mayReview: { ...mayReview, reasons: namePeople(mayReview, people) },
        wayOut: mayReview.outcome !== 'allow' ? wayOut(mayReview) : sharesVoteWith.length > 0 ? WAYS_TO_A_VOTE : null,
        sharesVoteWith,
        waysToAVote: asked.excluded.some(({ why }) => why === 'same_hand') ? WAYS_TO_THEIR_VOTE : null,
        changedSinceOpened,
        changesSinceMyReview: await this.#changesSince(tx, principal, request, subject),
        escalation,
      });
    });
  }

  /** Every review of a request, those that were replaced too. Failures: `resource.not_found`. */
  reviews(
    principal: Principal,
    id: ApprovalRequestId,
  ): Promise<
    Result<{ readonly reviews: readonly RecordedReview[]; readonly people: ReadonlyMap<PersonId, PersonStanding> }>
  > {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      if ((await this.deps.requests.find(tx, id)) === null) return err(notFound('approval request'));
      const reviews = await this.deps.requests.reviewHistory(tx, id);
      return ok({
        reviews,
        people: namesFor(principal, await this.deps.people.standing(tx, peopleInReviews(reviews))),
      });
    });
  }

  /** The same as {@link overviews}, each with its subject. */
  async listed(
    tx: Tx,
    reader: Pick<Principal, 'kind'>,
    requests: readonly ApprovalRequest[],
    now: number,
  ): Promise<ListedRequest[]> {
    const about = await this.#about(tx, requests);
    const overviews = await this.overviews(tx, reader, requests, now);
    return overviews.map((overview) => ({ ...overview, about: about(overview.request) }));
  }

  /** Requests with how far they have come, in as many queries for a hundred as for one. */
  async overviews(
    tx: Tx,
    reader: Pick<Principal, 'kind'>,
    requests: readonly ApprovalRequest[],
    now: number,
  ): Promise<RequestOverview[]> {
    const ids = requests.map(({ id }) => id);
    const [reviews, claims] = await Promise.all([
      this.deps.requests.reviewsOf(tx, ids),
      this.deps.claims.claimsOf(tx, ids, now),
    ]);
    const people = await this.deps.people.standing(
      tx,
      [...[...reviews.values()].flat(), ...claims.values()].map(({ personId }) => personId),
    );
    return requests.map((request) => ({
      request,
      quorum: quorumOf(request, reviews.get(request.id) ?? []),
      reviews: reviews.get(request.id) ?? [],
      people: namesFor(reader, people),
      claim: claims.get(request.id) ?? null,
      now,
    }));
  }

  /** The subjects of these requests, in one query a kind. */
  async #about(tx: Tx, requests: readonly ApprovalRequest[]): Promise<(request: ApprovalRequest) => QueuedAbout> {
    const plans = requests.flatMap(({ id, subject }) => (subject.type === 'plan' ? [id] : []));
    const calls = requests.flatMap(({ subject }) => (subject.type === 'tool_call' ? [subject.id] : []));
    const [ofPlans, ofCalls] = await Promise.all([
      plans.length === 0 ? NO_PLANS : this.deps.requests.about(tx, plans),
      calls.length === 0 ? NO_CALLS : this.deps.calls.about(tx, calls),
    ]);
    return ({ id, subject }) => {
      const found = subject.type === 'plan' ? ofPlans.get(id) : ofCalls.get(subject.id);
      if (found === undefined) throw new Error(`the subject of approval request ${id} is gone`);
      return found;
    };
  }

  /** The differences from the reader's last approval for this task, this request left out. Null for a call, which has none. */
  async #changesSince(
    tx: Tx,
    principal: Principal,
    request: ApprovalRequest,
    subject: ApprovalSubject,
  ): Promise<ChangesSince | null> {
    if (principal.kind !== 'person' || subject.type !== 'plan') return null;
    const approved = await this.deps.requests.approvedBy(tx, subject.task.id, principal.personId);
    const earlier = approved.find(({ id, openedAt }) => id !== request.id && openedAt < request.openedAt);
    if (earlier === undefined) return null;
    const before =
      earlier.subject.id === request.subject.id ? subject : await this.deps.subjects.read(tx, earlier.subject);
    if (before?.type !== 'plan') return null;
    const review = (await this.deps.requests.reviews(tx, earlier.id)).find(
      ({ personId }) => personId === principal.personId,
    );
    return changesBetween(
      { request: earlier, plan: before.plan, approvedAt: review?.createdAt ?? earlier.openedAt },
      { request, plan: subject.plan },
    );
  }
}

/** A request as its use case left it, for this reader. */
export const overviewOf = (
  reader: Pick<Principal, 'kind'>,
  { request, reviews, people, claim, now }: Omit<RequestAsLeft, 'subject'>,
): RequestOverview => ({
  request,
  quorum: quorumOf(request, reviews),
  reviews,
  people: namesFor(reader, people),
  claim,
  now,
});

const NO_PLANS: Awaited<ReturnType<ApprovalRepository['about']>> = new Map();
const NO_CALLS: Awaited<ReturnType<CallSubjects['about']>> = new Map();

/** The other approvers who have one vote together with the reader. */
const sharing = (reader: Approver | null, approvers: readonly Approver[]): PersonId[] =>
  approvers
    .filter((one) => reader !== null && one.personId !== reader.personId && shareSeat(one, reader))
    .map(({ personId }) => personId);
