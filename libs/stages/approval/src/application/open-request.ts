import {
  err,
  newId,
  notFound,
  ok,
  type ApprovalRequestId,
  type Digest,
  type Failure,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { minutesInWords, stateInWords } from '#lib/words';
import { standingsIn } from '#lib/identity';
import { headlineOf } from '#lib/plan';
import { actorFacts, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import { submitterOf, type Submitter, type TaskAccess } from '#lib/task';
import {
  deadlineOf,
  belongsTo,
  type UndecidedRequest,
  type PlanKey,
  type Start,
  type LiveRequest,
} from '../domain/approval-request.js';
import { currentBinding, plannedBinding, type PlanSubject } from '../domain/approval-subject.js';
import { deniedByPolicy, planOutdated } from '../domain/approved-plan.js';
import { bindingDigest, compareBindings, planContentDigest } from '../domain/binding.js';
import { changedUnderneath } from '../domain/closed-reasons.js';
import { expired, voided } from '../domain/decide-approval.js';
import { excludedBy, withEnrollers } from '../domain/excluded-people.js';
import { subjectInput } from '../domain/policy-inputs.js';
import { remindersOf, type Escalation } from '../domain/reminders.js';
import { limitedRequester } from '../domain/request-flood.js';
import type { ApprovalJournal } from './approval-journal.js';
import type {
  ApprovalRepository,
  HeldRequest,
  People,
  PlanSubjects,
  ReminderRepository,
  RequestAsLeft,
  ToolDefinitions,
} from './approval.ports.js';
import type { LimitRequests } from './limit-requests.js';
import { requestAsLeft } from './request-as-left.js';

export interface RequestOpened extends RequestAsLeft {
  /** False if the same question was open already: `request` is that one (T09). */
  readonly created: boolean;
}

/** The wanted start of the run. `start_at` (RFC 3339) goes with `at`. */
interface WantedStart {
  readonly start: Start['kind'];
  readonly start_at?: string | undefined;
}

const MINUTE_MS = 60_000;

interface OpenRequestDeps {
  readonly uow: UnitOfWork;
  readonly subjects: Pick<PlanSubjects, 'hold' | 'readRequest'>;
  readonly requests: Pick<ApprovalRepository, 'identical'>;
  readonly people: Pick<People, 'standing' | 'waysIn'>;
  readonly journal: ApprovalJournal;
  readonly policy: Pick<PolicyDecisionPoint, 'decide'>;
  readonly access: TaskAccess;
  readonly reminders: ReminderRepository;
  readonly limit: LimitRequests;
  readonly definitions: ToolDefinitions;
}

/**
 * Asks people to approve a plan. Binds digests of all that an approver sees, and fixes who can never review it. Carries
 * the obligations of the decision of this moment. Asking the same again gives the same request.
 *
 * Failures: `resource.not_found`, `task.not_yours`, `task.submitter_required`, `approval.plan_not_validated`,
 * `approval.task_not_planned`, `approval.plan_outdated`, `mcp.definition_changed`, `approval.start_at_past`, `approval.start_at_too_late`,
 * `approval.already_open`, `approval.flood` (recorded once a time), `approval.not_required`, `policy.denied` (recorded, with the policy's reasons).
 */
export class OpenRequest {
  constructor(private readonly deps: OpenRequestDeps) {}

  execute(principal: Principal, { type, id }: PlanKey, wanted: WantedStart): Promise<Result<RequestOpened>> {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const held = await this.deps.subjects.hold(tx, id);
      if (held === null) return err(notFound(type));
      const { subject, request: live, now } = held;
      const requester = submitterOf(principal);
      if (!requester.ok) return requester;
      const allowed = await this.deps.access.mayChange(tx, principal, subject.task);
      if (!allowed.ok) return allowed;
      const ready = readyForApproval(subject);
      if (!ready.ok) return ready;
      const start = startOf(wanted, now);
      if (!start.ok) return start;
      const standing = live === null ? null : await this.#stillLive(tx, live, subject, principal, now);
      if (standing !== null) return this.#sameQuestion(tx, { ...held, request: standing }, start.value);
      return this.#open(tx, subject, principal, requester.value, start.value, now);
    });
  }

  /**
   * The live request, unless its time is over or its digests have changed. That is recorded, and the request is out of
   * the way.
   */
  async #stillLive(
    tx: Tx,
    live: LiveRequest,
    subject: PlanSubject,
    principal: Principal,
    now: number,
  ): Promise<LiveRequest | null> {
    const late = expired(live, now);
    if (late !== null) {
      await this.deps.journal.changed(tx, late, principal);
      return null;
    }
    const differences = compareBindings(live.binding, currentBinding(subject));
    if (differences.length === 0) return live;
    await this.deps.journal.changed(tx, voided(live, changedUnderneath(differences), now), principal);
    return null;
  }

  async #open(
    tx: Tx,
    subject: PlanSubject,
    principal: Principal,
    requester: Submitter,
    start: Start,
    now: number,
  ): Promise<Result<RequestOpened>> {
    const binding = plannedBinding(subject);
    const differences = compareBindings(binding, currentBinding(subject));
    if (differences.length > 0) return err(planOutdated(differences));
    const { environment, registry } = subject;
    const redefined = await this.deps.definitions.execute(tx, environment.name, registry.tools.values());
    if (redefined !== null) return err(redefined);
    const content = planContentDigest(binding, subject.task.digest, subject.plan.expanded);
    const pending = await this.#pendingAlready(tx, subject, content, principal, now);
    if (!pending.ok) return pending;
    if (pending.value !== null) return this.#sameQuestion(tx, pending.value, start);
    const { type } = subject;
    const { id } = subject.plan;
    const asked = {
      type,
      id,
      taskId: subject.task.id,
      simulationId: subject.simulation?.id ?? null,
    };
    const excluded = excludedBy(subject, requester);
    const authors = excluded.map(({ personId }) => personId);
    // The last read comes before the decision, so that the decision travels with its consequences.
    const votes = standingsIn(authors, await this.deps.people.waysIn(tx, authors), now);
    const decided = await this.deps.policy.decide(
      tx,
      'plan',
      subjectInput(subject, {
        tenantId: tx.tenantId,
        now,
        stage: 'request',
        actor: actorFacts(principal),
        approval: null,
        starterRoles: [],
        approved: null,
      }),
      { subject: { type, id }, within: belongsTo(asked) },
    );
    const refusal = refusalBy(decided, start, now);
    if (refusal !== null) {
      await this.deps.journal.refused(tx, refusal.action, { subject }, principal, {
        id: decided.id,
        level: decided.decision.obligations.audit_level,
        reasons: decided.decision.reasons,
      });
      return err(refusal.failure);
    }
    const request: UndecidedRequest = {
      state: 'open',
      id: newId<ApprovalRequestId>(),
      subject: { ...asked, phases: subject.promotion ? 'promotion' : decided.decision.obligations.phases },
      environmentId: subject.environment.id,
      binding,
      bindingDigest: bindingDigest(binding),
      contentDigest: content,
      ...headlineOf(subject.plan.expanded, subject.facts.tools),
      targets: subject.plan.expanded.distinct_targets.length,
      decisionId: decided.id,
      decision: decided.decision,
      autonomyRevisionId: subject.autonomy.revisionId,
      bundleRevision: decided.bundleRevision,
      excluded: withEnrollers(excluded, votes),
      requester,
      start,
      startAfter: null,
      openedAt: now,
      expiresAt: now + subject.task.spec.timeout_minutes * MINUTE_MS,
    };
    await this.deps.journal.opened(tx, request, subject, principal);
    await this.deps.reminders.plan(tx, request.id, remindersOf(request, escalationOf(subject)));
    return ok({ request, created: true, subject, reviews: [], people: new Map(), claim: null, now });
  }

  /**
   * An agent's open request for exactly the same, under any task: people are asked once (T09). Else whether it may
   * ask at all, which too many requests within ten minutes end for a while. The same holds for a person with a token (T55).
   */
  async #pendingAlready(
    tx: Tx,
    subject: PlanSubject,
    content: Digest,
    principal: Principal,
    now: number,
  ): Promise<Result<HeldRequest<PlanSubject> | null>> {
    const limited = limitedRequester(principal);
    if (limited === null) return ok(null);
    const [opened, same] = await Promise.all([
      this.deps.limit.latest(tx, limited),
      subject.promotion || principal.kind !== 'agent'
        ? null
        : this.deps.requests.identical(tx, principal.agentId, content),
    ]);
    if (same !== null) {
      const held = await this.deps.subjects.readRequest(tx, same.id);
      if (held === null) throw new Error(`The request ${same.id} was found, and is not there.`);
      return ok(held);
    }
    const checked = await this.deps.limit.check(tx, subject, principal, limited, opened, now);
    return checked.ok ? ok(null) : checked;
  }

  /** The same question twice is one request; another wish for its start is not the same question. */
  async #sameQuestion(
    tx: Tx,
    { request: live, ...held }: HeldRequest<PlanSubject>,
    start: Start,
  ): Promise<Result<RequestOpened>> {
    if (
      live.start.kind === start.kind &&
      (live.start.kind !== 'at' || start.kind !== 'at' || live.start.at === start.at)
    )
      return ok({ ...(await requestAsLeft(tx, this.deps.people, live, held)), created: false });
    return err(
      conflict(
        'approval.already_open',
        'There is a request for this plan already, with another start.',
        'Use it, or withdraw it first.',
        { request_id: live.id, state: live.state, deadline: deadlineOf(live) },
      ),
    );
  }
}

function escalationOf({ autonomy, environment }: PlanSubject): Escalation | null {
  const { environments = {} } = autonomy.document?.autonomy ?? {};
  return (Object.hasOwn(environments, environment.name) ? environments[environment.name]?.escalation : null) ?? null;
}

/** A plan is approved while it is the task's live revision and nothing of the task is being executed. */
function readyForApproval({ plan, task }: PlanSubject): Result<void> {
  if (plan.state !== 'validated') {
    return err(
      conflict(
        'approval.plan_not_validated',
        `The plan is ${stateInWords(plan.state)}.`,
        'Ask for the approval of the live revision of the task.',
        { plan_state: plan.state },
      ),
    );
  }
  if (task.state !== 'planned') {
    return err(
      conflict(
        'approval.task_not_planned',
        `The task is ${stateInWords(task.state)}.`,
        task.state === 'executing' ? 'Wait until the run has ended.' : 'Create a new task.',
        { task_state: task.state },
      ),
    );
  }
  return ok(undefined);
}

function startOf(wanted: WantedStart, now: number): Result<Start> {
  if (wanted.start !== 'at') return ok({ kind: wanted.start });
  if (wanted.start_at === undefined) throw new Error('a start at a time came without the time');
  const at = Date.parse(wanted.start_at);
  if (at > now) return ok({ kind: 'at', at });
  return err({
    kind: 'unprocessable',
    code: 'approval.start_at_past',
    message: 'The time to start is over already.',
    action: 'Give a time to come, or start on approval.',
    errors: [{ pointer: '/start_at', code: 'approval.start_at_past', message: 'must lie in the future' }],
  });
}

interface Refusal {
  readonly action: 'approval_request.refused' | 'approval_request.not_required';
  readonly failure: Failure;
}

function refusalBy({ decision }: RecordedDecision, start: Start, now: number): Refusal | null {
  switch (decision.outcome) {
    case 'deny':
      return { action: 'approval_request.refused', failure: deniedByPolicy(decision) };
    case 'allow':
      return { action: 'approval_request.not_required', failure: { ...notRequired, reasons: decision.reasons } };
    case 'require_approval': {
      // Whenever it is approved, the approval must still be good at the time to start.
      const latest = now + decision.obligations.valid_minutes * MINUTE_MS;
      if (start.kind !== 'at' || start.at <= latest) return null;
      return { action: 'approval_request.refused', failure: startTooLate(decision.obligations.valid_minutes) };
    }
  }
}

const conflict = (code: string, message: string, action: string, details: Failure['details']): Failure => ({
  kind: 'conflict',
  code,
  message,
  action,
  ...(details === undefined ? {} : { details }),
});

const notRequired: Failure = {
  kind: 'conflict',
  code: 'approval.not_required',
  message: 'Policy asks for nobody’s approval of this plan.',
  action: 'Start a run of it.',
};

const startTooLate = (validMinutes: number): Failure => ({
  kind: 'unprocessable',
  code: 'approval.start_at_too_late',
  message: `An approval is good for ${minutesInWords(validMinutes)} here, and the run would start after that.`,
  action: 'Ask for approval closer to the time, or give an earlier one.',
  errors: [
    {
      pointer: '/start_at',
      code: 'approval.start_at_too_late',
      message: `must be within ${minutesInWords(validMinutes)}`,
    },
  ],
});
