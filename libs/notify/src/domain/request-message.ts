import type { ApprovalState, ExpandedPhase, RiskLevel, RunState, Verdict } from '#lib/contracts';
import type { RequestDetail, ChangesSince } from '#lib/approval';
import { groupCalls, type CallGroup } from './group-calls.js';

/** What approvers are shown of one phase. */
export interface PhaseShown {
  readonly name: string;
  readonly canary: boolean;
  /** How many targets each batch has. */
  readonly batches: readonly number[];
  readonly waitSeconds: number;
  readonly rollbackIf: string | null;
  readonly healthChecks: readonly string[];
  readonly groups: readonly CallGroup[];
}

/** One tool of a plan as its approvers are shown it: by its facts, whatever it is called. */
export interface ToolShown {
  readonly name: string;
  readonly version: number;
  readonly risk: string;
  readonly effect: string;
  readonly idempotent: boolean;
}

/** What somebody has approved before, and how this differs. */
export interface ChangedSince {
  readonly people: readonly string[];
  readonly lines: readonly string[];
}

/**
 * A request as it is shown outside, in Slack and in mail: everything that an approver decides by, and no more. Names and
 * words are still as they were written; whoever renders it makes them visible and inert.
 */
export interface RequestMessage {
  readonly id: string;
  readonly planId: string;
  readonly planDigest: string;
  readonly revision: number;
  readonly state: ApprovalState;
  readonly closedReason: string | null;
  readonly environment: { readonly name: string; readonly production: boolean };
  readonly requester: { readonly kind: 'agent' | 'person'; readonly name: string; readonly onBehalfOf: string | null };
  /** In the requester's own words: they decide nothing. */
  readonly said: { readonly goal: string; readonly summary: string | null };
  readonly tools: readonly ToolShown[];
  readonly targets: readonly string[];
  readonly phases: readonly PhaseShown[];
  readonly whatRuns: 'all' | 'canary' | 'promotion';
  readonly simulation: {
    readonly affected: number;
    readonly minutes: number;
    readonly risk: RiskLevel;
    readonly points: readonly string[];
  } | null;
  readonly asked: readonly { readonly count: number; readonly roles: readonly string[]; readonly filled: number }[];
  readonly mfa: boolean;
  readonly why: readonly string[];
  readonly reviews: readonly { readonly person: string; readonly verdict: Verdict; readonly comment: string }[];
  readonly changedSince: ChangedSince | null;
  readonly start: { readonly kind: 'on_approval' | 'manual' } | { readonly kind: 'at'; readonly at: number };
  /** Until when it can be decided while open, or started while granted; epoch milliseconds. */
  readonly deadline: number | null;
  readonly run: { readonly id: string; readonly state: RunState } | null;
}

/** What the request itself does not say. */
export interface MessageContext {
  readonly requesterName: string;
  readonly onBehalfOfName: string | null;
  readonly earlierApprovals: readonly { readonly person: string; readonly changes: ChangesSince }[];
  readonly run: RequestMessage['run'];
}

/** A request as it is shown outside; from the expanded plan and the records alone. */
export function requestMessage(detail: RequestDetail, context: MessageContext): RequestMessage {
  const { request, subject, quorum, people } = detail;
  const { plan, environment, task, simulation } = subject;
  const predicted = simulation !== null && simulation.id === request.simulationId ? simulation.result : null;
  return {
    id: request.id,
    planId: request.planId,
    planDigest: request.binding.plan,
    revision: plan.revision,
    state: request.state,
    closedReason: 'closedReason' in request ? request.closedReason.message : null,
    environment: { name: environment.name, production: environment.production },
    requester: { kind: request.requester.kind, name: context.requesterName, onBehalfOf: context.onBehalfOfName },
    said: { goal: task.spec.goal, summary: plan.document.summary ?? null },
    tools: toolsOf(detail),
    targets: plan.expanded.distinct_targets,
    phases: plan.expanded.phases.map(phaseShown),
    whatRuns: request.phases,
    simulation:
      predicted === null
        ? null
        : {
            affected: predicted.affected_assets,
            minutes: predicted.estimated_duration_minutes,
            risk: predicted.predicted_risk,
            points: predicted.health_check_points,
          },
    asked: request.decision.obligations.approvals.map(({ count, roles }, slot) => ({
      count,
      roles,
      filled: quorum.filled.filter((place) => place.slot === slot).length,
    })),
    mfa: request.decision.obligations.mfa,
    why: request.decision.reasons.map(({ message }) => message),
    reviews: detail.reviews
      .filter(({ replacedAt }) => replacedAt === null)
      .map(({ personId, verdict, comment }) => ({
        person: people.get(personId)?.displayName ?? '',
        verdict,
        comment,
      })),
    changedSince: changedSinceOf(context.earlierApprovals),
    start: request.start,
    deadline:
      request.state === 'open' ? request.expiresAt : request.state === 'granted' ? request.grantExpiresAt : null,
    run: context.run,
  };
}

function toolsOf({ subject }: RequestDetail): ToolShown[] {
  const used = new Map<string, { readonly name: string; readonly version: number }>();
  for (const phase of subject.plan.expanded.phases) {
    for (const batch of phase.batches) {
      for (const { invocation } of batch.calls) {
        const { name, version } = invocation.tool;
        used.set(`${name}@${String(version)}`, { name, version });
      }
    }
  }
  return [...used].map(([key, tool]) => {
    const facts = subject.facts.tools[key];
    return {
      ...tool,
      risk: facts?.risk ?? 'unknown',
      effect: facts?.effect ?? 'unknown',
      idempotent: facts?.idempotent ?? false,
    };
  });
}

const phaseShown = (phase: ExpandedPhase): PhaseShown => ({
  name: phase.name,
  canary: phase.canary,
  batches: phase.batches.map(({ targets }) => targets.length),
  waitSeconds: phase.wait_seconds,
  rollbackIf: phase.rollback_if,
  healthChecks: [...new Set(phase.batches.flatMap((batch) => batch.health_checks.map(({ name }) => name)))],
  groups: groupCalls(phase),
});

function changedSinceOf(earlier: MessageContext['earlierApprovals']): ChangedSince | null {
  const [first] = earlier;
  if (first === undefined) return null;
  const people = earlier.filter(({ changes }) => changes.requestId === first.changes.requestId);
  return { people: people.map(({ person }) => person), lines: changeLines(first.changes) };
}

/** What differs, one line a difference; calls that change in the same way are one line. */
function changeLines({ bound, plan }: ChangesSince): string[] {
  const boundLines = bound
    .filter(({ member }) => member !== 'plan' && member !== 'simulation')
    .map(({ member, names }) => (names.length === 0 ? `${member} changed` : `${member} changed: ${names.join(', ')}`));
  const same = new Map<string, string[]>();
  for (const call of plan.calls ?? []) {
    for (const line of call.changes.length === 0
      ? [`${call.phase} / ${call.stepId} ${call.kind}`]
      : call.changes.map(
          (change) =>
            `${call.phase} / ${call.stepId} ${change.pointer}: ${text(change.before)} → ${text(change.after)}`,
        )) {
      same.set(line, [...(same.get(line) ?? []), ...call.targets]);
    }
  }
  const targets = [
    ...(plan.targets.added.length === 0 ? [] : [`targets added: ${plan.targets.added.join(', ')}`]),
    ...(plan.targets.removed.length === 0 ? [] : [`targets removed: ${plan.targets.removed.join(', ')}`]),
  ];
  return [
    ...boundLines,
    ...targets,
    ...[...same].map(([line, on]) => (on.length === 0 ? line : `${line} (${String(new Set(on).size)} targets)`)),
  ];
}

const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
