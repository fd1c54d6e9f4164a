import type { ApprovalFacts, PolicyInput } from '#lib/policy-inputs';
import { toMinute, stateInWords } from '#lib/words';
import {
  actorOf,
  err,
  notFound,
  type Failure,
  type PlanId,
  type Principal,
  type Result,
  type RunId,
  type Tx,
  inPlan,
  toTimestamp,
} from '#lib/kernel';
import { actorFacts, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import { approvalExpired, type ApprovalRequest, type ApprovedRequest } from '../domain/approval-request.js';
import { currentBinding, type PlanSubject } from '../domain/approval-subject.js';
import { ApprovedPlan, bindingChanged, deniedByPolicy } from '../domain/approved-plan.js';
import { compareBindings } from '../domain/binding.js';
import { changedUnderneath, endsApproval, refusedAtStart, reviewerDisabled } from '../domain/closed-reasons.js';
import { expired, voided } from '../domain/decide-approval.js';
import type { ReviewedRequest } from '../domain/decide-review.js';
import { heldByFreeze } from '../domain/held-by-freeze.js';
import { namePeople } from '../domain/name-people.js';
import { approvalFacts, subjectInput, termsOf } from '../domain/policy-inputs.js';
import { wayToStart } from '../domain/ways-out.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { RequestApproved, PeopleNow, PlanSubjects } from './approval.ports.js';
import type { ReadStanding } from './read-standing.js';

/**
 * Gives the authority to execute a plan, in the transaction that creates the run. Everything is checked again on locked
 * rows: the clock, the digests, the reviewers' roles, and policy at stage `execute`. A failed check is recorded on the
 * request, so the caller returns the error instead of throwing it.
 *
 * Failures: `resource.not_found`, `approval.plan_not_executable`, `approval.expired`, `approval.starts_later` for a start
 * before the time that was approved, `approval.binding_changed`,
 * `approval.reviewer_disabled`, `approval.plan_outdated`, and `policy.denied` with the policy's reasons (`approval.required`
 * if no person has approved); `freeze.active` with its end, which leaves the approval to its own time.
 */
export class AuthorizeStart {
  constructor(
    private readonly subjects: PlanSubjects,
    private readonly standing: ReadStanding,
    private readonly journal: ApprovalJournal,
    private readonly policy: Pick<PolicyDecisionPoint, 'decide'>,
  ) {}

  /** Locks heads, task, plan and request, in this order, and holds them until the transaction ends. */
  async authorize(tx: Tx, planId: PlanId, principal: Principal): Promise<Result<ApprovedPlan>> {
    const held = await this.subjects.hold(tx, planId);
    if (held === null) return err(notFound('plan'));
    const { subject, request: live, now } = held;
    const executable = executability(subject);
    if (executable !== null) return err(executable);
    if (live?.state === 'approved') {
      const reviews = await held.reviews();
      return this.#byRequest(tx, { request: live, reviews }, { subject, principal, now });
    }
    const start = await this.#decide(tx, { subject, principal, now }, live, []);
    const frozen = heldByFreeze(start.decision);
    if (frozen !== null) return err(frozen);
    const approved = ApprovedPlan.byPolicy(subject, start, now);
    if (approved.ok || approved.error.code !== 'policy.denied') return approved;
    return err({ ...approved.error, action: wayToStart(start.decision, live?.id ?? null) });
  }

  /** The same for a request that the caller has locked in this transaction, and its subject with it. */
  approved(
    tx: Tx,
    { request, reviews, subject, people, principal, at }: RequestApproved,
  ): Promise<Result<ApprovedPlan>> {
    if (request.subject.id !== subject.plan.id) throw new Error('a request was approved with the subject of another');
    const executable = executability(subject);
    return executable === null
      ? this.#byRequest(tx, { request, reviews }, { subject, principal, now: at, known: people })
      : Promise.resolve(err(executable));
  }

  /** The request has served its run. Called with the run that was created under the authority. */
  async consume(tx: Tx, approved: ApprovedPlan, runId: RunId, principal: Principal): Promise<void> {
    if (!ApprovedPlan.isGenuine(approved)) throw new Error('a run needs an ApprovedPlan that was authorized');
    if (approved.request !== null) await this.journal.changed(tx, approved.request, principal, { run_id: runId });
  }

  async #byRequest(
    tx: Tx,
    { request, reviews }: ReviewedRequest & { readonly request: ApprovedRequest },
    asked: AskedStart,
  ): Promise<Result<ApprovedPlan>> {
    const { subject, principal, now, known } = asked;
    const late = expired(request, now);
    if (late !== null) {
      await this.journal.changed(tx, late, principal);
      return err(approvalExpired);
    }
    if (request.start.kind === 'at' && now < request.start.at) return err(startsLater(request.start.at));
    const differences = compareBindings(request.binding, currentBinding(subject));
    if (differences.length > 0) {
      await this.journal.changed(tx, voided(request, changedUnderneath(differences), now), principal);
      return err(bindingChanged(differences));
    }
    const { reviewers, disabled, people } = await this.standing.reviewers(tx, { request, reviews }, known);
    if (disabled.length > 0) {
      await this.journal.changed(tx, voided(request, reviewerDisabled(disabled), now), principal);
      return err(disabledReviewer);
    }
    const start = await this.#decide(tx, asked, request, reviewers);
    const frozen = heldByFreeze(start.decision);
    if (frozen !== null) return err(frozen);
    if (start.decision.outcome !== 'allow') {
      if (endsApproval(start.decision)) {
        await this.journal.changed(tx, voided(request, refusedAtStart(start.decision), now), principal);
      }
      return err(deniedByPolicy({ reasons: namePeople(start.decision, people) }));
    }
    return ApprovedPlan.byRequest(request, subject, start, now);
  }

  async #decide(
    tx: Tx,
    { subject, principal, now, known }: AskedStart,
    request: ApprovalRequest | null,
    reviewers: ApprovalFacts['reviewers'],
  ): Promise<RecordedDecision> {
    const input: PolicyInput<'plan'> = subjectInput(subject, {
      tenantId: tx.tenantId,
      now,
      stage: 'execute',
      actor: actorFacts(principal),
      approval: request === null ? null : approvalFacts(request, reviewers),
      // The roles that may pass a freeze are read only if there is one.
      starterRoles:
        subject.autonomy.document?.freezes === undefined
          ? []
          : await this.standing.rolesOf(tx, actorOf(principal), known),
      approved: request?.state === 'approved' ? termsOf(request.decision) : null,
    });
    return this.policy.decide(tx, 'plan', input, {
      subject: { type: 'plan', id: subject.plan.id },
      within: [
        ...inPlan({ taskId: subject.task.id, planId: subject.plan.id }),
        ...(request === null ? [] : [{ type: 'approval_request', id: request.id }]),
      ],
    });
  }
}

/** A start that somebody asks for, on locked rows. */
interface AskedStart {
  readonly subject: PlanSubject;
  /** The starter. */
  readonly principal: Principal;
  /** The database's clock under the locks, epoch milliseconds. */
  readonly now: number;
  /** The standing of the reviewers, if the caller has read it. */
  readonly known?: PeopleNow;
}

/** A plan is executed while it is the task's live revision, and the task waits for it. */
function executability({ plan, task }: PlanSubject): Failure | null {
  if (plan.state === 'validated' && task.state === 'planned') return null;
  return {
    kind: 'conflict',
    code: 'approval.plan_not_executable',
    message: `The plan is ${stateInWords(plan.state)} and its task is ${stateInWords(task.state)}.`,
    action: 'Execute the live revision of a task that is planned.',
    details: { plan_state: plan.state, task_state: task.state },
  };
}

/** People approved a start at this time, so it never begins earlier. */
const startsLater = (at: number): Failure => ({
  kind: 'conflict',
  code: 'approval.starts_later',
  message: `It was approved to start at ${toMinute(at)}, and does so by itself.`,
  action: 'Wait until then, or withdraw the request and ask for approval of another start.',
  details: { start_at: toTimestamp(at) },
});

const disabledReviewer: Failure = {
  kind: 'conflict',
  code: 'approval.reviewer_disabled',
  message: 'A person whose approval counts has been disabled since; the approval was voided.',
  action: 'Ask for approval again.',
};
