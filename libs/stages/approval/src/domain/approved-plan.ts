import type { ApprovalBinding, ApprovedTerms, Decision } from '#lib/formats';
import { err, ok, type ApprovalRequestId, type DecisionId, type Failure, type Result } from '#lib/kernel';
import { approvalExpired, type ApprovedRequest, type ConsumedRequest } from './approval-request.js';
import { currentBinding, plannedBinding, type PlanSubject, type SubjectPlan } from './approval-subject.js';
import { compareBindings, type BindingDifference } from './binding.js';
import { consumed } from './decide-approval.js';
import { termsOf } from './policy-inputs.js';

/** A decision at stage `execute`, recorded. */
export interface StartDecision {
  readonly id: DecisionId;
  readonly decision: Decision;
}

/**
 * The authority to execute one plan, once, in the transaction that made it. There is no other way to have one than to
 * pass the checks of {@link ApprovedPlan.byRequest} or {@link ApprovedPlan.byPolicy}.
 */
export class ApprovedPlan {
  // Nominal: nothing that merely looks like it is one.
  readonly #approved = true;

  private constructor(
    readonly subject: PlanSubject,
    /** The basis of the authority: an approved request, or policy that asks for no approval. */
    readonly basis: 'approval' | 'policy',
    /** The request, locked, as the run leaves it; null if policy asks for no approval. */
    readonly request: ConsumedRequest | null,
    readonly binding: ApprovalBinding,
    /** The terms of the approval; policy becoming stricter than these pauses the run. */
    readonly terms: ApprovedTerms,
    /** Which phases may run; `promotion` is the rest after a canary. */
    readonly phases: 'all' | 'canary' | 'promotion',
    readonly decisionId: DecisionId,
    readonly at: number,
  ) {}

  /** The plan revision, expanded: exactly these calls are executed. */
  get plan(): SubjectPlan {
    return this.subject.plan;
  }

  get requestId(): ApprovalRequestId | null {
    return this.request?.id ?? null;
  }

  /** False only for a forgery that bypasses the type. */
  static isGenuine(value: object): value is ApprovedPlan {
    return #approved in value && value.#approved;
  }

  /**
   * From an approved, unexpired request with unchanged digests that policy lets start now.
   *
   * @returns `approval.expired`, `approval.binding_changed`, or `policy.denied`.
   */
  static byRequest(
    request: ApprovedRequest,
    subject: PlanSubject,
    start: StartDecision,
    now: number,
  ): Result<ApprovedPlan> {
    const { subject: asked } = request;
    if (asked.type !== 'plan') throw new Error('a request about no plan gives no authority to execute one');
    const used = consumed(request, now);
    if (used.state === 'expired') return err(approvalExpired);
    const differences = compareBindings(request.binding, currentBinding(subject));
    if (differences.length > 0) return err(bindingChanged(differences));
    if (start.decision.outcome !== 'allow') return err(deniedByPolicy(start.decision));
    return ok(
      new ApprovedPlan(
        subject,
        'approval',
        used,
        request.binding,
        termsOf(request.decision),
        asked.phases,
        start.id,
        now,
      ),
    );
  }

  /**
   * From policy alone, if it asks for no approval.
   *
   * @returns `approval.plan_outdated` if the plan was expanded from records that have changed, or `policy.denied`.
   */
  static byPolicy(subject: PlanSubject, start: StartDecision, now: number): Result<ApprovedPlan> {
    const binding = plannedBinding(subject);
    const differences = compareBindings(binding, currentBinding(subject));
    if (differences.length > 0) return err(planOutdated(differences));
    if (start.decision.outcome !== 'allow') return err(deniedByPolicy(start.decision));
    const phases = subject.promotion ? 'promotion' : start.decision.obligations.phases;
    return ok(new ApprovedPlan(subject, 'policy', null, binding, termsOf(start.decision), phases, start.id, now));
  }
}

/** T01: names each digest that differs, and in a record of digests the tools or executors. */
export function bindingChanged(differences: readonly BindingDifference[], what: 'plan' | 'call' = 'plan'): Failure {
  return {
    kind: 'conflict',
    code: 'approval.binding_changed',
    message: `The ${what} is no longer as it was approved: ${inWords(differences)} changed.`,
    action: 'Look at what changed, and ask for approval again.',
    details: { changed: differences },
  };
}

/** The plan no longer describes the calls that would be made. */
export function planOutdated(differences: readonly BindingDifference[]): Failure {
  return {
    kind: 'conflict',
    code: 'approval.plan_outdated',
    message: `The plan was expanded before ${inWords(differences)} changed.`,
    action: 'Submit the plan again: it is expanded from the records in force.',
    details: { changed: differences },
  };
}

/** A deny, with the policy's own reasons. */
export const deniedByPolicy = (decision: Pick<Decision, 'reasons'>): Failure => ({
  kind: 'forbidden',
  code: 'policy.denied',
  message: decision.reasons.map((reason) => reason.message).join('; '),
  action: 'Read the reasons, and fix each of them.',
  reasons: decision.reasons,
});

const inWords = (differences: readonly BindingDifference[]): string =>
  differences.map(({ member, names }) => (names.length === 0 ? member : `${member} (${names.join(', ')})`)).join(', ');
