import type { AutonomyLine } from '#lib/autonomy';
import { planWords } from '#lib/formats';
import { knownByWords } from '#lib/identity';
import type {
  AbsenceView,
  ApprovalRequestDetailView,
  ApprovalRequestView,
  ApprovalStatistics,
  ChangesAskedView,
  ClaimView,
  PossibleReviewersView,
  ReviewerCountView,
  ListedPlanRequestView,
  ListedRequestView,
  PlanRequestDetailView,
  QueuedRequestView,
  ReviewView,
} from '#lib/api-schemas';
import {
  approvalOf,
  boundDigest,
  withNames,
  type AbsenceOverview,
  type ApprovalStatistic,
  type ApprovalRequest,
  type CallAbout,
  type ChangesAsked,
  type Claim,
  type PossibleReviewers,
  type RequestOfTask,
  type CountedReviewers,
  type ListedRequest,
  type PersonStanding,
  type PlanSubject,
  type StatisticsBy,
  type StatisticsPeriod,
  type ChangesSince,
  type RecordedReview,
  type RequestDetail,
  type RequestOverview,
} from '#lib/approval';
import { type ApprovalRequestId, type PersonId, toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { describePlan } from '#lib/plan';
import { planChangesView } from '../plan/plan-views.js';
import { askedCallFacts } from './asked-call-facts.js';

type People = ReadonlyMap<PersonId, PersonStanding>;

/** A request as lists show it. */
export function requestView(
  { request, quorum, people, claim, now }: RequestOverview,
  line: AutonomyLine | null,
): ApprovalRequestView {
  const approval = approvalOf(request);
  const { requester, start, subject } = request;
  return {
    id: request.id,
    subject: subject.type === 'plan' ? askedPlanView(subject, request) : askedCallView(subject, request),
    state: request.state,
    closed_reason: 'closedReason' in request ? closedReason(request.closedReason, people) : null,
    headline: request.headline,
    risk: request.risk,
    claim: claim === null ? null : claimView(claim, people),
    binding: request.binding,
    binding_digest: request.bindingDigest,
    decision: request.decision,
    autonomy_line: line,
    decision_id: request.decisionId,
    bundle_revision: request.bundleRevision,
    autonomy_revision_id: request.autonomyRevisionId,
    requester: { kind: requester.kind, id: requester.id, on_behalf_of: requester.onBehalfOf },
    excluded: request.excluded.map(({ personId, why, sharesWith }) => ({
      person_id: personId,
      why,
      ...(sharesWith === undefined ? {} : { shares_with: sharesWith }),
    })),
    quorum: {
      complete: quorum.complete,
      filled: quorum.filled.map(({ slot, roles, as, personId }) => ({
        slot,
        roles: [...roles],
        as: [...as],
        person: personView(personId, people),
      })),
      open: quorum.open.map(({ slot, roles, count }) => ({ slot, roles: [...roles], count })),
    },
    start: start.kind,
    start_at: start.kind === 'at' ? toTimestamp(start.at) : null,
    start_after: toTimestampOrNull(request.startAfter),
    opened_at: toTimestamp(request.openedAt),
    expires_at: toTimestamp(request.expiresAt),
    approved_at: toTimestampOrNull(approval?.approvedAt ?? null),
    approval_expires_at: toTimestampOrNull(approval?.approvalExpiresAt ?? null),
    closed_at: 'closedAt' in request ? toTimestamp(request.closedAt) : null,
    seconds_left: secondsLeft(request, now),
  };
}

type Subject<Type extends ApprovalRequest['subject']['type']> = Extract<ApprovalRequest['subject'], { type: Type }>;

const askedPlanView = (
  { type, id, taskId, simulationId, phases }: Subject<'plan'>,
  { binding }: Pick<ApprovalRequest, 'binding'>,
) => ({ type, id, digest: boundDigest(binding), task_id: taskId, simulation_id: simulationId, phases });

const askedCallView = (
  { type, id, sessionId }: Subject<'tool_call'>,
  { binding }: Pick<ApprovalRequest, 'binding'>,
) => ({ type, id, digest: boundDigest(binding), session_id: sessionId });

/** A request with everything that its approvers see. */
export function requestDetailView(
  detail: RequestDetail,
  couldApprove: CountedReviewers | null,
  line: AutonomyLine | null,
): ApprovalRequestDetailView {
  const { subject, request } = detail;
  if (subject.type === 'tool_call' && request.subject.type === 'tool_call') {
    const { call } = subject;
    return {
      ...sharedDetail(detail, couldApprove, line),
      headline: call.impact,
      subject: askedCallView(request.subject, request),
      call: { ...callView({ ...call, tool: call.tool.name }), ...askedCallFacts(request, subject) },
    };
  }
  if (subject.type !== 'plan' || request.subject.type !== 'plan')
    throw new Error(`the request ${request.id} was read with the subject of another`);
  return planDetailView({ ...detail, subject }, request.subject, couldApprove, line);
}

function planDetailView(
  detail: RequestDetail & { readonly subject: PlanSubject },
  asked: Subject<'plan'>,
  couldApprove: CountedReviewers | null,
  line: AutonomyLine | null,
): PlanRequestDetailView {
  const { subject, people, request } = detail;
  const { plan } = subject;
  return {
    ...sharedDetail(detail, couldApprove, line),
    subject: askedPlanView(asked, request),
    revision: plan.revision,
    said_by_the_requester: { goal: subject.task.spec.goal, words: [...planWords.read(plan.document)] },
    description: describePlan(plan.expanded, subject.facts.tools),
    plan: plan.expanded,
    simulation: simulationView(subject, asked),
    changes_asked: detail.changesAsked.map((one) => changesAskedView(one, people)),
    replaces: neighbourView(detail.replaces),
    replaced_by: neighbourView(detail.replacedBy),
    changes_since_my_review: detail.changesSinceMyReview === null ? null : changesView(detail.changesSinceMyReview),
    escalation:
      detail.escalation === null
        ? null
        : {
            at: toTimestamp(detail.escalation.at),
            roles: [...detail.escalation.roles],
            told: detail.escalation.told,
          },
  };
}

/** The members of a subject of any kind. */
function sharedDetail(detail: RequestDetail, couldApprove: CountedReviewers | null, line: AutonomyLine | null) {
  const { people, request } = detail;
  const { environment } = detail.subject;
  return {
    ...requestView(detail, line),
    environment: { id: environment.id, name: environment.name, production: environment.production },
    reviews: detail.reviews.map((review) => reviewView(request.id, review, people)),
    may_review: {
      outcome: detail.mayReview.outcome === 'allow' ? ('allow' as const) : ('deny' as const),
      reasons: detail.mayReview.reasons,
      action: detail.wayOut,
      shares_vote_with: detail.sharesVoteWith.map((id) => personView(id, people)),
    },
    ways_to_a_vote: detail.waysToAVote,
    could_approve: couldApprove === null ? null : reviewerCountView(couldApprove),
    changed_since_opened: detail.changedSinceOpened.map(({ member, names }) => ({ member, names: [...names] })),
  };
}

const callView = ({ tool, category, impact, reason }: Pick<CallAbout, 'tool' | 'category' | 'impact' | 'reason'>) => ({
  tool,
  category,
  impact,
  said_by_the_requester: reason === null ? null : { reason },
});

const MAX_COUNTED = 100;

export const reviewerCountView = (counted: CountedReviewers): ReviewerCountView => ({
  enough: counted.enough,
  needed: counted.needed.map(({ count, roles }) => ({ count, roles: [...roles] })),
  missing: counted.missing.map(({ count, roles }) => ({ count, roles: [...roles] })),
  second_factor: counted.secondFactor,
  people: counted.named.slice(0, MAX_COUNTED).map(({ id, displayName }) => ({ id, display_name: displayName })),
  warning: counted.warning,
});

const claimView = (claim: Claim, people: People): ClaimView => ({
  person: personView(claim.personId, people),
  claimed_at: toTimestamp(claim.claimedAt),
  expires_at: toTimestamp(claim.expiresAt),
});

export const absenceView = ({ absence, people, now }: AbsenceOverview): AbsenceView => ({
  id: absence.id,
  person: personView(absence.personId, people),
  delegate: personView(absence.delegateId, people),
  roles: [...absence.roles],
  from: toTimestamp(absence.from),
  until: toTimestamp(absence.until),
  created_at: toTimestamp(absence.createdAt),
  ended_at: toTimestampOrNull(absence.endedAt),
  in_force: absence.endedAt === null && absence.from <= now && now < absence.until,
});

/** A request of a list, with its reviews. */
export const listedView = (item: ListedRequest, line: AutonomyLine | null): ListedRequestView => ({
  ...queuedView(item, line),
  ...reviewsOf(item),
});

/** A request that somebody may start: it is about a plan. */
export const startView = (item: ListedRequest, line: AutonomyLine | null): ListedPlanRequestView => ({
  ...queuedPlanView(item, line),
  ...reviewsOf(item),
});

const reviewsOf = (item: ListedRequest) => ({
  reviews: item.reviews.map((review) => ({
    person: personView(review.personId, item.people),
    verdict: review.verdict,
    created_at: toTimestamp(review.createdAt),
  })),
});

/** A request as it stands in somebody's queue. The headline of a call is that of now. A runner may have lost the way back since. */
export const queuedView = (item: ListedRequest, line: AutonomyLine | null): QueuedRequestView => {
  const { about, request } = item;
  if (about.type !== 'tool_call' || request.subject.type !== 'tool_call') return queuedPlanView(item, line);
  return {
    ...requestView(item, line),
    headline: about.impact,
    subject: askedCallView(request.subject, request),
    environment: about.environment,
    call: callView(about),
  };
};

function queuedPlanView(item: ListedRequest, line: AutonomyLine | null) {
  const { about, request } = item;
  if (about.type !== 'plan' || request.subject.type !== 'plan')
    throw new Error(`the request ${request.id} was read with the subject of another`);
  return {
    ...requestView(item, line),
    subject: askedPlanView(request.subject, request),
    environment: about.environment,
    said_by_the_requester: { goal: about.goal },
  };
}

export const statisticsView = (
  by: StatisticsBy,
  { from, until }: StatisticsPeriod,
  statistics: readonly ApprovalStatistic[],
): ApprovalStatistics => ({
  by,
  from: toTimestamp(from),
  until: toTimestamp(until),
  items: statistics.map((statistic) => ({
    key: statistic.key,
    name: statistic.name,
    requests: statistic.requests,
    decided: statistic.decided,
    median_seconds_to_decision: statistic.medianSeconds,
    p90_seconds_to_decision: statistic.slowestTenthSeconds,
    approvals: statistic.approvals,
    approvals_after_first_look: statistic.approvalsAfterLook,
    approved_under_five_seconds: statistic.underFiveSeconds,
    share_under_five_seconds: shareOf(statistic.underFiveSeconds, statistic.approvalsAfterLook),
    approvals_in_slack: statistic.inSlack,
    approved_in_slack_within_five_seconds_of_message: statistic.inSlackWithinFiveSeconds,
    overridden: statistic.overridden,
    override_rate: shareOf(statistic.overridden, statistic.decided),
    rejected: statistic.rejected,
    reject_rate: shareOf(statistic.rejected, statistic.decided),
  })),
});

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const reviewView = (requestId: ApprovalRequestId, review: RecordedReview, people: People): ReviewView => ({
  id: review.id,
  request_id: requestId,
  person: personView(review.personId, people),
  verdict: review.verdict,
  always: review.always,
  confirm_word: review.confirmWord,
  comment: review.comment,
  roles: review.roles.map(({ role }) => role),
  stands_in_for: review.delegatedBy === null ? null : personView(review.delegatedBy, people),
  known_by: review.seat.knownBy.map((one) => knownByWords(one, (id) => people.get(id)?.displayName ?? 'somebody')),
  shares_vote_with: review.seat.sharedWith.map((id) => personView(id, people)),
  subject_digest: review.subjectDigest,
  decision_id: review.decisionId,
  created_at: toTimestamp(review.createdAt),
  replaced_at: toTimestampOrNull(review.replacedAt),
  mfa_method: review.mfa?.method ?? null,
});

export const changesAskedView = (
  { requestId, planId, revision, personId, comment, at }: ChangesAsked,
  people: People,
): ChangesAskedView => ({
  request_id: requestId,
  plan_id: planId,
  revision,
  person: personView(personId, people),
  comment,
  created_at: toTimestamp(at),
});

const neighbourView = (neighbour: RequestOfTask | null): PlanRequestDetailView['replaces'] =>
  neighbour === null ? null : { request_id: neighbour.id, revision: neighbour.revision, state: neighbour.state };

/** So many people are named. */
const MAX_NAMED = 5;

export const possibleReviewersView = ({ reviewers, people }: PossibleReviewers): PossibleReviewersView => ({
  items: reviewers.slice(0, MAX_NAMED).map(({ personId, knownBy }) => ({
    ...personView(personId, people),
    known_by: knownBy.map((one) => knownByWords(one, (id) => people.get(id)?.displayName ?? 'somebody')),
  })),
  more: Math.max(0, reviewers.length - MAX_NAMED),
});

const personView = (id: PersonId, people: People): { id: string; display_name: string } => ({
  id,
  display_name: people.get(id)?.displayName ?? '',
});

function simulationView({ simulation }: PlanSubject, asked: Subject<'plan'>): PlanRequestDetailView['simulation'] {
  if (simulation?.digest == null || simulation.result === null || simulation.id !== asked.simulationId) return null;
  return { id: simulation.id, state: simulation.state, digest: simulation.digest, result: simulation.result };
}

const changesView = ({
  requestId,
  approvedAt,
  bound,
  plan,
}: ChangesSince): PlanRequestDetailView['changes_since_my_review'] => ({
  request_id: requestId,
  approved_at: toTimestamp(approvedAt),
  bound: bound.map(({ member, names }) => ({ member, names: [...names] })),
  ...planChangesView(plan),
});

const closedReason = (
  { code, message, details }: Extract<ApprovalRequest, { closedReason: unknown }>['closedReason'],
  people: People,
) => ({
  code,
  message: withNames(message, people),
  ...(details === undefined
    ? {}
    : {
        details: Object.fromEntries(
          Object.entries(details).map(([key, value]) => [key, typeof value === 'string' ? value : [...value]]),
        ),
      }),
});

function secondsLeft(request: ApprovalRequest, now: number): number | null {
  if (request.state === 'open') return secondsUntil(request.expiresAt, now);
  return request.state === 'approved' ? secondsUntil(request.approvalExpiresAt, now) : null;
}

const secondsUntil = (at: number, now: number): number => Math.max(0, Math.floor((at - now) / 1_000));
