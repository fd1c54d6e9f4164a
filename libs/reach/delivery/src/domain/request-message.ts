import { planWords, type ApprovalState, type RiskLevel, type RunState, type Verdict } from '#lib/formats';
import { type MfaMethod, knownByWords } from '#lib/identity';
import type { JsonObject } from '#lib/canonical';
import { boundDigest, shapeOfAlways, type ChangesSince, type SubjectCall, type NotifiedRequest } from '#lib/approval';
import { describePlan, type PlanDescription } from '#lib/plan';

/** The differences from an earlier approved request, and its approvers. */
export interface ChangedSince {
  readonly people: readonly string[];
  readonly lines: readonly string[];
}

/** The facts of a request that an approver decides by, for a subject of any kind. */
interface SharedMessage {
  readonly id: string;
  /** Of the subject, as a review names it. */
  readonly digest: string;
  readonly state: ApprovalState;
  readonly closedReason: string | null;
  readonly environment: { readonly name: string; readonly production: boolean };
  readonly requester: { readonly kind: 'agent' | 'person'; readonly name: string; readonly onBehalfOf: string | null };
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
  readonly start: { readonly kind: 'on_approval' | 'manual' } | { readonly kind: 'at'; readonly at: number };
  /** The end of the time to decide an open request, or to start an approved one; epoch milliseconds. */
  readonly deadline: number | null;
  /** One line about requests of the same kind in the past; null for none. It decides nothing. */
  readonly past: string | null;
}

/** A request about a plan. */
export interface PlanMessage extends SharedMessage {
  readonly type: 'plan';
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
  /** The changes that people requested of earlier revisions. */
  readonly changesAsked: readonly { readonly revision: number; readonly person: string; readonly comment: string }[];
  readonly changedSince: ChangedSince | null;
  readonly run: { readonly id: string; readonly state: RunState } | null;
}

/** A request about a single call. */
export interface CallMessage extends SharedMessage {
  readonly type: 'tool_call';
  readonly call: Pick<SubjectCall, 'tool' | 'executor' | 'arguments' | 'targets' | 'category' | 'level' | 'impact'>;
  /** The submitter's own words for it. They decide nothing. Null for none. */
  readonly reason: string | null;
  /** The shape of the later calls that an approval may hold for, too. Null if it holds for this call alone. */
  readonly always: JsonObject | null;
  /** The word to type for an approval; null for none. */
  readonly confirmWord: string | null;
}

/**
 * A request for channels: the facts that an approver decides by, and no more. Names and words are still raw: a renderer
 * makes them visible and inert.
 */
export type RequestMessage = PlanMessage | CallMessage;

/** Facts that the request itself does not have. */
export interface MessageContext {
  readonly requesterName: string;
  readonly onBehalfOfName: string | null;
  readonly earlierApprovals: readonly { readonly person: string; readonly changes: ChangesSince }[];
  readonly run: PlanMessage['run'];
  readonly past: string | null;
}

/** Reads the expanded plan or the call, and the records alone. */
export function requestMessage(told: NotifiedRequest, context: MessageContext): RequestMessage {
  const { request, subject } = told;
  const shared = sharedMessage(told, context);
  if (subject.type === 'tool_call') {
    const { tool, executor, arguments: given, targets, category, level, impact, reason } = subject.call;
    return {
      ...shared,
      type: 'tool_call',
      call: { tool, executor, arguments: given, targets, category, level, impact },
      reason,
      always: shapeOfAlways(request, subject),
      confirmWord: request.decision.obligations.confirm_word ?? null,
    };
  }
  const { plan, task, simulation } = subject;
  if (request.subject.type !== 'plan') throw new Error(`the request ${request.id} is about another subject`);
  const predicted = simulation !== null && simulation.id === request.subject.simulationId ? simulation.result : null;
  return {
    ...shared,
    type: 'plan',
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
    changesAsked: told.changesAsked.map(({ revision, personId, comment }) => ({
      revision,
      person: told.people.get(personId)?.displayName ?? '',
      comment,
    })),
    changedSince: changedSinceOf(context.earlierApprovals),
    run: context.run,
  };
}

function sharedMessage(
  { request, subject, quorum, people, reviews }: NotifiedRequest,
  context: MessageContext,
): SharedMessage {
  const { environment } = subject;
  const { obligations, reasons } = request.decision;
  return {
    id: request.id,
    digest: boundDigest(request.binding),
    state: request.state,
    closedReason: 'closedReason' in request ? request.closedReason.message : null,
    environment: { name: environment.name, production: environment.production },
    requester: { kind: request.requester.kind, name: context.requesterName, onBehalfOf: context.onBehalfOfName },
    asked: obligations.approvals.map(({ count, roles }, slot) => ({
      count,
      roles,
      filled: quorum.filled.filter((seated) => seated.slot === slot).length,
    })),
    mfa: obligations.mfa,
    why: reasons.map(({ message }) => message),
    reviews: reviews.map(({ personId, verdict, comment, mfa, seat }) => ({
      person: people.get(personId)?.displayName ?? '',
      knownBy: seat.knownBy.map((one) => knownByWords(one, (id) => people.get(id)?.displayName ?? 'somebody')),
      verdict,
      comment,
      method: mfa?.method ?? null,
    })),
    start: request.start,
    deadline:
      request.state === 'open' ? request.expiresAt : request.state === 'approved' ? request.approvalExpiresAt : null,
    past: context.past,
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
