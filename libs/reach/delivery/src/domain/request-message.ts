import { planWords, type ApprovalState, type RiskLevel, type RunState, type Verdict } from '#lib/formats';
import { type MfaMethod, knownByWords } from '#lib/identity';
import { boundDigest, type ChangesSince, type ToldRequest } from '#lib/approval';
import { describePlan, type PlanDescription } from '#lib/plan';

/** The differences from an earlier approved request, and its approvers. */
export interface ChangedSince {
  readonly people: readonly string[];
  readonly lines: readonly string[];
}

/**
 * A request for channels: the facts that an approver decides by, and no more. Names and words are still raw: a renderer
 * makes them visible and inert.
 */
export interface RequestMessage {
  readonly id: string;
  readonly planId: string;
  readonly planDigest: string;
  readonly state: ApprovalState;
  readonly closedReason: string | null;
  readonly environment: { readonly name: string; readonly production: boolean };
  readonly requester: { readonly kind: 'agent' | 'person'; readonly name: string; readonly onBehalfOf: string | null };
  /** The requester's own words. They decide nothing. */
  readonly said: { readonly goal: string; readonly words: readonly string[] };
  /** The calls, as every page shows them. */
  readonly description: PlanDescription;
  readonly whatRuns: 'all' | 'canary' | 'promotion';
  readonly simulation: {
    readonly affected: number;
    readonly minutes: number;
    readonly risk: RiskLevel;
    /** The tools that predict it. */
    readonly by: readonly string[];
    readonly points: readonly string[];
  } | null;
  readonly asked: readonly { readonly count: number; readonly roles: readonly string[]; readonly filled: number }[];
  readonly mfa: boolean;
  readonly why: readonly string[];
  readonly reviews: readonly {
    readonly person: string;
    /** The facts that a reviewer is known by, in the words of the pages. */
    readonly knownBy: readonly string[];
    readonly verdict: Verdict;
    readonly comment: string;
    /** The proof of a second factor; null for none. */
    readonly method: MfaMethod | null;
  }[];
  /** The changes that people requested of earlier revisions. */
  readonly changesAsked: readonly { readonly revision: number; readonly person: string; readonly comment: string }[];
  readonly changedSince: ChangedSince | null;
  readonly start: { readonly kind: 'on_approval' | 'manual' } | { readonly kind: 'at'; readonly at: number };
  /** The end of the time to decide an open request, or to start an approved one; epoch milliseconds. */
  readonly deadline: number | null;
  readonly run: { readonly id: string; readonly state: RunState } | null;
}

/** Facts that the request itself does not have. */
export interface MessageContext {
  readonly requesterName: string;
  readonly onBehalfOfName: string | null;
  readonly earlierApprovals: readonly { readonly person: string; readonly changes: ChangesSince }[];
  readonly run: RequestMessage['run'];
}

/** Reads the expanded plan and the records alone. */
export function requestMessage(told: ToldRequest, context: MessageContext): RequestMessage {
  const { request, subject, quorum, people } = told;
  const { plan, environment, task, simulation } = subject;
  const predicted = simulation !== null && simulation.id === request.subject.simulationId ? simulation.result : null;
  return {
    id: request.id,
    planId: request.subject.id,
    planDigest: boundDigest(request.binding),
    state: request.state,
    closedReason: 'closedReason' in request ? request.closedReason.message : null,
    environment: { name: environment.name, production: environment.production },
    requester: { kind: request.requester.kind, name: context.requesterName, onBehalfOf: context.onBehalfOfName },
    said: { goal: task.spec.goal, words: planWords.read(plan.document) },
    description: describePlan(plan.expanded, subject.facts.tools),
    whatRuns: request.subject.phases,
    simulation:
      predicted === null
        ? null
        : {
            affected: predicted.affected_assets,
            minutes: predicted.estimated_duration_minutes,
            risk: predicted.predicted_risk,
            by: [...new Set(predicted.details.calls.flatMap(({ simulated_by: by }) => (by === null ? [] : [by.name])))],
            points: predicted.health_check_points,
          },
    asked: request.decision.obligations.approvals.map(({ count, roles }, slot) => ({
      count,
      roles,
      filled: quorum.filled.filter((place) => place.slot === slot).length,
    })),
    mfa: request.decision.obligations.mfa,
    why: request.decision.reasons.map(({ message }) => message),
    reviews: told.reviews.map(({ personId, verdict, comment, mfa, seat }) => ({
      person: people.get(personId)?.displayName ?? '',
      knownBy: seat.knownBy.map((one) => knownByWords(one, (id) => people.get(id)?.displayName ?? 'somebody')),
      verdict,
      comment,
      method: mfa?.method ?? null,
    })),
    changesAsked: told.changesAsked.map(({ revision, personId, comment }) => ({
      revision,
      person: people.get(personId)?.displayName ?? '',
      comment,
    })),
    changedSince: changedSinceOf(context.earlierApprovals),
    start: request.start,
    deadline:
      request.state === 'open' ? request.expiresAt : request.state === 'approved' ? request.approvalExpiresAt : null,
    run: context.run,
  };
}

function changedSinceOf(earlier: MessageContext['earlierApprovals']): ChangedSince | null {
  const [first] = earlier;
  if (first === undefined) return null;
  const people = earlier.filter(({ changes }) => changes.requestId === first.changes.requestId);
  return { people: people.map(({ person }) => person), lines: changeLines(first.changes) };
}

/** One line for each difference. */
function changeLines({ bound, plan }: ChangesSince): string[] {
  const boundLines = bound
    .filter(({ member }) => member !== 'plan' && member !== 'simulation')
    .map(({ member, names }) => (names.length === 0 ? `${member} changed` : `${member} changed: ${names.join(', ')}`));
  return [
    ...boundLines,
    ...plan.inWords.map(({ where, what, before, after }) =>
      [
        where === '' ? what : `${where}: ${what}`,
        before ?? 'added',
        ...(after === null ? ['removed'] : ['→', after]),
      ].join(' '),
    ),
  ];
}
