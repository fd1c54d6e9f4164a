import type { AutonomyReader } from '#lib/autonomy';
import type { AutonomyDocument, Verdict } from '#lib/formats';
import type { Credential } from '#lib/identity';
import {
  newId,
  type ApprovalRequestId,
  type AuditEvent,
  type Failure,
  type OutboxMessage,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type Result,
  type Tx,
} from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, sampleTenant, type SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { fakePolicy } from '../../../../rules/policy/src/fake-policy.js';
import { createApprovals } from '../create-approvals.js';
import { fakeApprovalRows } from './fake-approval-rows.js';
import { callKey, planKey, type ApprovalRequest, type AskedCall, type AskedPlan } from '../domain/approval-request.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import type { CallSubject } from '../domain/call-subject.js';
import { boundDigest } from '../domain/binding.js';
import type { RequestApproved, RequestApprovedListener, ToolDefinitions } from './approval.ports.js';
import { ExpireDue } from './expire-due.js';
import { FakeAnswers, sampleCall, type CallOptions } from './fake-call.js';
import { FakeCallSubjects } from './fake-call-subjects.js';
import { FakePlanSubjects } from './fake-plan-subjects.js';
import { FakeMfaProofs } from '../../../../people/identity/src/application/fake-mfa-proofs.js';
import { type FakePerson } from './fake-people.js';
import { fakeTasks } from '../../../task/src/application/fake-tasks.js';
import { autonomyOf, sampleSubject, type SubjectOptions } from './fake-subject.js';
import type { NotifiedRequest } from './read-notified-request.js';
import { SendReminders } from './send-reminders.js';
import { StartScheduled } from './start-scheduled.js';

const notHere = () => Promise.reject(new Error('no test of this world reads it'));

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Two leads approve the plans of agents in production. */
export const rules = (production: object = {}, rest: object = {}): AutonomyDocument => ({
  autonomy: {
    mode: 'plan_only',
    environments: {
      production: { mode: 'full_auto', allowed_approvers: ['SRELead'], require_two_approvers: true, ...production },
    },
  },
  ...rest,
});

/** Hears of approved requests, and answers as the test says. */
class FakeStarts implements RequestApprovedListener {
  readonly #heard: FakeTable<RequestApproved>;
  /** The reason why no run is started; null if one is. */
  refusal: Failure | null = null;

  constructor(uow: FakeUnitOfWork) {
    this.#heard = new FakeTable(uow);
  }

  requestApproved(tx: Tx, event: RequestApproved): Promise<Failure | null> {
    this.#heard.of(tx).set(event.request.id, event);
    return Promise.resolve(this.refusal);
  }

  of(tx: Pick<Tx, 'tenantId'>): readonly RequestApproved[] {
    return [...this.#heard.of(tx).values()];
  }
}

/** The use cases of approvals over fakes and the real policies. The clock stands until the test moves it. */
export class FakeApprovalWorld {
  readonly tenant: SampleTenant = sampleTenant();
  readonly uow = new FakeUnitOfWork();
  readonly #rows = fakeApprovalRows(this.uow);
  readonly requests = this.#rows.requests;
  readonly people = this.#rows.people;
  readonly subjects = new FakePlanSubjects(this.uow, this.requests, this.#rows.claims);
  readonly calls = new FakeCallSubjects(this.uow, this.requests, this.#rows.claims);
  readonly proofs = new FakeMfaProofs(this.uow);
  readonly starts = new FakeStarts(this.uow);
  readonly answers = new FakeAnswers(this.uow);
  readonly #audit = new FakeAuditSink(this.uow);
  readonly #outbox = new FakeOutbox(this.uow);
  /** The facts of new requests that their transactions had in hand for the first delivery. */
  readonly known: NotifiedRequest[] = [];
  readonly policy = fakePolicy(this.uow).decisionPoint;
  #autonomy = autonomyOf(rules());
  readonly revisions: AutonomyReader = {
    current: () => {
      const { revisionId, document } = this.#autonomy;
      if (revisionId === null || document === null) return Promise.resolve(null);
      return Promise.resolve({ revisionId, document, number: 1, digest: 'sha256:' });
    },
  };
  /** The credential of every earlier answer; null if no test asks for one. */
  credential: Credential | null = null;
  /** The refusal of tools that are not as they were accepted. */
  redefined: Failure | null = null;
  readonly definitions: ToolDefinitions = { execute: () => Promise.resolve(this.redefined) };
  readonly #parts = createApprovals({
    ...{ uow: this.uow, rows: this.#rows, audit: this.#audit, outbox: this.#outbox, policy: this.policy },
    ...{ proofs: this.proofs, definitions: this.definitions, approved: this.starts, plans: this.subjects },
    deliver: (told) => {
      this.known.push(told);
      return undefined;
    },
    autonomy: { revisions: this.revisions, approvalDemand: { inProduction: notHere } },
    task: fakeTasks(this.uow, {
      agents: {
        find: (tx, id) => {
          const ownerId = this.requests.owners.of(tx).get(id);
          return Promise.resolve(ownerId === undefined ? null : { ownerId });
        },
      },
    }),
    credentials: {
      find: () => (this.credential === null ? notHere() : Promise.resolve(this.credential)),
      stillGood: (_tx, _personId, id) => Promise.resolve(!this.people.endedCredentials.has(id)),
    },
    calls: {
      holdRequest: (...request) => this.calls.holdRequest(...request),
      readRequest: (...request) => this.calls.readRequest(...request),
      read: (...call) => this.calls.read(...call),
      about: (...calls) => this.calls.about(...calls),
      callApproved: (...event) => this.answers.callApproved(...event),
      callDenied: (...event) => this.answers.callDenied(...event),
    },
  });
  readonly reviewers = this.#parts.callReviewers;
  readonly reviewersOf = this.#parts.readReviewers;
  readonly open = this.#parts.openRequest;
  readonly openCall = this.#parts.openCallRequest;
  readonly reviewing = this.#parts.submitReview;
  readonly authority = this.#parts.authorizeStart;
  readonly withdrawing = this.#parts.withdrawRequest;
  readonly voiding = this.#parts.voidRequests;
  readonly expiring = this.#parts.expireDue;
  readonly reminding = this.#parts.sendReminders;
  readonly scheduled = this.#parts.startScheduled;
  readonly claiming = this.#parts.claimRequest;
  readonly absences = this.#parts.changeAbsences;
  readonly reading = this.#parts.readRequests;
  readonly queue = this.#parts.readQueue;
  /** Reads the requests as messages tell of them. */
  readonly telling = this.#parts.readNotifiedRequest;

  constructor() {
    const { agent, owner } = this.tenant;
    this.requests.owners.of(this.tenant).set(agent.agentId, owner.personId);
    for (const person of [owner, this.tenant.admin]) this.#stands(person);
  }

  /** Does the work of the clock for every request, as a worker may. @returns for how many there was something to do. */
  async clock(work: Pick<ExpireDue | SendReminders | StartScheduled, 'execute'>): Promise<number> {
    const { tenantId } = this.tenant;
    const all = this.requests.all(this.tenant).map(({ id }) => work.execute(tenantId, id));
    return (await Promise.all(all)).filter((done) => done).length;
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** Somebody in a browser who has held these roles for an hour, with every scope that a person may have. */
  person(...roles: string[]): PersonPrincipal {
    const person = {
      ...samplePerson(this.tenant.tenantId, roles),
      credentialKind: 'browser_session' as const,
      scopes: ['read', 'submit', 'run', 'review'] as const,
    };
    this.#stands(person);
    return person;
  }

  /** The standing of a person now. */
  changePerson(
    { personId }: Pick<PersonPrincipal, 'personId'>,
    change: (person: FakePerson) => Partial<FakePerson>,
  ): void {
    const rows = this.people.rows.of(this.tenant);
    const person = rows.get(personId);
    if (person === undefined) throw new Error('nobody of this tenant');
    rows.set(personId, { ...person, ...change(person) });
  }

  assignRole(person: PersonPrincipal, role: string): void {
    this.changePerson(person, ({ roles }) => ({ roles: [...roles, { role, assignedAt: this.uow.now }] }));
  }

  revokeRole(person: PersonPrincipal, role: string): void {
    this.changePerson(person, ({ roles }) => ({ roles: roles.filter((held) => held.role !== role) }));
  }

  /** The document that is in force from now on. */
  autonomy(document: AutonomyDocument): void {
    this.#autonomy = autonomyOf(document);
    for (const planId of this.subjects.rows.of(this.tenant).keys())
      this.changeSubject(planId as PlanId, () => ({ autonomy: this.#autonomy }));
  }

  /** A plan, simulated, that can be approved. */
  planned(wish: SubjectOptions & { readonly change?: (subject: PlanSubject) => Partial<PlanSubject> } = {}): PlanId {
    // The agent's version alone makes it differ from every other: identical requests of an agent are one request.
    const spec = { agent: { model: 'test', version: newId() }, ...wish.task?.spec };
    const subject = sampleSubject(this.tenant, this.uow.now, { ...wish, task: { ...wish.task, spec } });
    const { environment, plan } = subject;
    this.subjects.rows.of(this.tenant).set(plan.id, { ...subject, autonomy: this.#autonomy });
    this.changeSubject(plan.id, wish.change ?? (() => ({})));
    this.requests.plans.of(this.tenant).set(plan.id, {
      taskId: subject.task.id,
      revision: plan.revision,
      about: { type: 'plan', goal: subject.task.spec.goal, environment },
      targets: plan.expanded.distinct_targets,
    });
    return plan.id;
  }

  changeSubject(planId: PlanId, change: (subject: PlanSubject) => Partial<PlanSubject>): void {
    const rows = this.subjects.rows.of(this.tenant);
    const subject = rows.get(planId);
    if (subject === undefined) throw new Error('no such plan');
    rows.set(planId, { ...subject, ...change(subject) });
  }

  /** A call of the agent, or by another requester, that waits for people. @param change made to it before they are asked. */
  async askedAboutCall(
    wish: CallOptions & { readonly change?: (subject: CallSubject) => Partial<CallSubject> } = {},
    seconds = 120,
    by: Principal = this.tenant.agent,
  ): Promise<CallRequest> {
    const made = sampleCall(this.tenant, this.#autonomy, this.uow.now, wish);
    const subject = { ...made, ...wish.change?.(made) };
    this.calls.rows.of(this.tenant).set(subject.call.id, subject);
    const { request } = valueOf(
      await this.inTx(async (tx) => {
        const about = { subject: callKey(subject.call.id), within: [] };
        const decided = await this.policy.decide(tx, 'tool_call', subject.question, about);
        return this.openCall.execute(tx, by, {
          subject,
          decided,
          approvalSeconds: seconds,
          now: this.uow.now,
        });
      }),
    );
    return ofCall(request);
  }

  changeCall({ subject: { id } }: CallRequest, change: (subject: CallSubject) => Partial<CallSubject>): void {
    const rows = this.calls.rows.of(this.tenant);
    const subject = rows.get(id);
    if (subject === undefined) throw new Error('no such call');
    rows.set(id, { ...subject, ...change(subject) });
  }

  /** A request of the agent for a plan of its own, unless one is named. */
  async asked(planId: PlanId = this.planned()): Promise<PlanRequest> {
    return ofPlan(valueOf(await this.open.execute(this.tenant.agent, planKey(planId), { start: 'manual' })).request);
  }

  review(by: Principal, request: ApprovalRequest, verdict: Verdict = 'approve', stepUpId?: string) {
    return this.reviewing.execute(by, request.id, {
      verdict,
      subject_digest: boundDigest(request.binding),
      ...(verdict === 'approve' ? {} : { comment: 'not like this' }),
      ...(stepUpId === undefined ? {} : { step_up_id: stepUpId }),
    });
  }

  /** Approved by two leads of its own. */
  async approved(request: Promise<ApprovalRequest> = this.asked()): Promise<PlanRequest> {
    const asked = await request;
    valueOf(await this.review(this.person('SRELead'), asked));
    return ofPlan(valueOf(await this.review(this.person('SRELead'), asked)).request);
  }

  /** Asks for the authority to start, in a transaction of its own. */
  async start(planId: PlanId, by: Principal = this.tenant.agent): Promise<string> {
    return codeOf(await this.inTx((tx) => this.authority.authorize(tx, planId, by)));
  }

  async find(id: ApprovalRequestId): Promise<ApprovalRequest> {
    const found = await this.inTx((tx) => this.requests.find(tx, id));
    if (found === null) throw new Error(`no request ${id}`);
    return found;
  }

  /** The audit entries, in order. */
  get audited(): readonly AuditEvent[] {
    return this.#audit.of(this.tenant);
  }

  /** The messages in the outbox, in order. */
  get told(): readonly OutboxMessage[] {
    return this.#outbox.of(this.tenant);
  }

  #stands({ personId, displayName, roles }: PersonPrincipal): void {
    const since = this.uow.now - HOUR;
    this.people.rows.of(this.tenant).set(personId, {
      personId,
      displayName,
      nameForAgents: displayName,
      disabled: false,
      joinedAt: since,
      roles: roles.map(({ role }) => ({ role, assignedAt: since })),
      waysIn: [],
    });
  }
}

/** A request about a plan. */
export type PlanRequest = ApprovalRequest & { readonly subject: AskedPlan };

/** @throws for a request about anything else. */
export function ofPlan(request: ApprovalRequest): PlanRequest {
  const { subject } = request;
  if (subject.type !== 'plan') throw new Error(`the request ${request.id} is about no plan`);
  return { ...request, subject };
}

/** A request about a call. */
export type CallRequest = ApprovalRequest & { readonly subject: AskedCall };

/** @throws for a request about anything else. */
function ofCall(request: ApprovalRequest): CallRequest {
  const { subject } = request;
  if (subject.type !== 'tool_call') throw new Error(`the request ${request.id} is about no call`);
  return { ...request, subject };
}

/** `ok`, or the code of the refusal with those of the policy's reasons. */
export const codeOf = (result: Result<unknown>): string =>
  result.ok ? 'ok' : [result.error.code, ...new Set((result.error.reasons ?? []).map(({ code }) => code))].join(' ');

/** The value, or an error that shows the refusal. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.error)}`);
}
