import type { Decision } from '#lib/formats';
import {
  digestOf,
  newId,
  type AgentId,
  type ApprovalRequestId,
  type CredentialId,
  type DecisionId,
  type Digest,
  type EnvironmentId,
  type HeldRole,
  type PersonId,
  type PlanId,
  type TaskId,
  type TenantId,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { ApprovalRequest, AskedPlan, UndecidedRequest, Review } from '../domain/approval-request.js';
import { boundDigest } from '../domain/binding.js';
import { decideApproval, type ApprovalEvent } from '../domain/decide-approval.js';
import type { ReviewId } from '../domain/ids.js';
import type {
  AbsenceRepository,
  ApprovalRepository,
  ClaimRepository,
  FloodRepository,
  People,
  ReminderRepository,
} from './approval.ports.js';

/** The task, plan and decision that a request is about. */
export interface PlanWithDecision {
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly environmentId: EnvironmentId;
  readonly decisionId: DecisionId;
}

/** The call and the decision that a request is about. */
export interface CallWithDecision extends Omit<PlanWithDecision, 'taskId' | 'planId'> {
  readonly callId: ToolCallId;
}

export interface Holder<Id> {
  readonly id: Id;
  readonly credentialId: CredentialId;
}

/** The ports of this library in a tenant of its own, and the other libraries' rows that theirs refer to. */
export interface ApprovalStore {
  readonly uow: UnitOfWork;
  readonly tenantId: TenantId;
  readonly requests: ApprovalRepository;
  readonly claims: ClaimRepository;
  readonly reminders: ReminderRepository;
  readonly floods: FloodRepository;
  readonly absences: AbsenceRepository;
  readonly people: People;
  /** An agent of this person's, or of somebody's. */
  agent(owner?: PersonId): Promise<Holder<AgentId>>;
  /** Somebody who holds these roles since now. */
  person(...roles: string[]): Promise<Holder<PersonId>>;
  revoke(person: PersonId, role: string): Promise<void>;
  disable(person: PersonId): Promise<void>;
  endCredential(id: CredentialId): Promise<void>;
  /** A plan of a task; of a task of its own unless one is named. */
  plan(of?: PlanWish): Promise<PlanWithDecision>;
  /** A call that waits for people; outside production unless said otherwise. */
  call(environment?: PlanWish['environment']): Promise<CallWithDecision>;
}

export interface PlanWish {
  readonly taskId?: TaskId;
  readonly revision?: number;
  readonly goal?: string;
  readonly environment?: 'production' | 'staging';
  readonly targets?: readonly string[];
  readonly phases?: AskedPlan['phases'];
}

/** Opens the store with a new tenant. */
export type OpenStore = () => Promise<ApprovalStore>;

/** Work in a transaction of the store's tenant. */
export const inTx = <T>(store: Pick<ApprovalStore, 'uow' | 'tenantId'>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  store.uow.run(store.tenantId, work);

export const MINUTE = 60_000;

const decision: Decision = {
  outcome: 'require_approval',
  reasons: [
    { code: 'approval.required', message: 'The tool requires an approved plan', rule: 'countersign.approvals' },
  ],
  obligations: {
    approvals: [{ count: 2, roles: ['SRELead'] }],
    mfa: false,
    phases: 'all',
    audit_level: 'full_with_evidence',
    valid_minutes: 60,
  },
  effective: { mode: 'full_auto', source: 'autonomy.mode' },
};

/** A request about a plan. */
export type OpenPlanRequest = UndecidedRequest & { readonly subject: AskedPlan };

type Opener = Pick<ApprovalStore, 'uow' | 'tenantId' | 'agent' | 'plan' | 'call'>;

/** A request as it opens: now, for an hour, unless said otherwise. */
export async function openRequest(
  store: Opener,
  more: Partial<Omit<UndecidedRequest, 'subject'>> = {},
  wish: PlanWish = {},
): Promise<OpenPlanRequest> {
  const { taskId, planId, environmentId, decisionId } = await store.plan(wish);
  const mark = (name: string) => digestOf('plan', { planId, name });
  return {
    ...(await openedNow(store, mark, more)),
    subject: { type: 'plan', id: planId, taskId, simulationId: null, phases: wish.phases ?? 'all' },
    environmentId,
    binding: {
      subject: { plan: mark('plan'), task: mark('task'), simulation: null },
      environment: mark('environment'),
      tools: { 'execute_rollout_prod@1': mark('tool') },
      executors: { fleet: mark('executor') },
    },
    decisionId,
    ...more,
  };
}

/** The same about a call: for two minutes, and allowed as soon as it is approved. */
export async function openCallRequest(
  store: Opener,
  more: Partial<Omit<UndecidedRequest, 'subject'>> = {},
  environment?: PlanWish['environment'],
): Promise<UndecidedRequest> {
  const { callId, environmentId, decisionId } = await store.call(environment);
  const mark = (name: string) => digestOf('tool-call', { callId, name });
  const opened = await openedNow(store, mark, more);
  return {
    ...opened,
    subject: { type: 'tool_call', id: callId, sessionId: null },
    environmentId,
    binding: {
      subject: { tool_call: mark('call') },
      environment: mark('environment'),
      tools: { 'restart_service_nonprod@1': mark('tool') },
      executors: {},
    },
    decisionId,
    targets: 1,
    start: { kind: 'on_approval' },
    expiresAt: opened.openedAt + 2 * MINUTE,
    ...more,
  };
}

/** Everything but the subject and its records. */
async function openedNow(
  store: Opener,
  mark: (name: string) => Digest,
  more: Partial<Pick<UndecidedRequest, 'openedAt' | 'requester'>>,
) {
  const openedAt = more.openedAt ?? (await inTx(store, (tx) => tx.now()));
  const { id: agentId, credentialId } =
    more.requester === undefined ? await store.agent() : { id: '', credentialId: '' };
  const requester = {
    kind: 'agent',
    id: agentId as AgentId,
    onBehalfOf: null,
    credentialId: credentialId as CredentialId,
  };
  return {
    state: 'open' as const,
    id: newId<ApprovalRequestId>(),
    bindingDigest: mark('binding'),
    contentDigest: mark('content'),
    headline: 'restart_service_nonprod on 3 targets, revision 1',
    risk: 'critical' as const,
    targets: 3,
    decision,
    autonomyRevisionId: null,
    bundleRevision: mark('bundle'),
    excluded: [{ personId: newId<PersonId>(), why: 'same_hand' as const, sharesWith: newId<PersonId>() }],
    requester: requester as UndecidedRequest['requester'],
    start: { kind: 'manual' as const },
    startAfter: null,
    openedAt,
    expiresAt: openedAt + 60 * MINUTE,
  };
}

/** One that is stored. */
export async function asked(
  store: ApprovalStore,
  more: Partial<Omit<UndecidedRequest, 'subject'>> = {},
  wish: PlanWish = {},
): Promise<OpenPlanRequest> {
  const request = await openRequest(store, more, wish);
  await inTx(store, (tx) => store.requests.insert(tx, request));
  return request;
}

/** The same about a call. */
export async function askedAboutCall(
  store: ApprovalStore,
  more: Partial<Omit<UndecidedRequest, 'subject'>> = {},
  environment?: PlanWish['environment'],
): Promise<UndecidedRequest> {
  const request = await openCallRequest(store, more, environment);
  await inTx(store, (tx) => store.requests.insert(tx, request));
  return request;
}

export const because = { code: 'test.closed', message: 'closed by the test', details: { names: ['a', 'b'] } };

/** The request after the event, by the rules of the domain. */
export function after(request: ApprovalRequest, event: ApprovalEvent, now: number): ApprovalRequest {
  const next = decideApproval(request, event, now);
  if (!next.ok) throw new Error(next.error.code);
  return next.value;
}

/** Saves the request as the event leaves it. */
export async function happened(
  store: ApprovalStore,
  request: ApprovalRequest,
  event: ApprovalEvent,
  now = request.openedAt,
): Promise<ApprovalRequest> {
  const next = after(request, event, now);
  await inTx(store, (tx) => store.requests.save(tx, next));
  return next;
}

/** A review as somebody gives it. */
export const reviewOf = (request: ApprovalRequest, by: Holder<PersonId>, more: Partial<Review> = {}): Review => ({
  id: newId<ReviewId>(),
  personId: by.id,
  credentialId: by.credentialId,
  verdict: 'approve',
  comment: '',
  roles: [{ role: 'SRELead', assignedAt: request.openedAt - MINUTE }] satisfies HeldRole[],
  delegatedBy: null,
  seat: { sharedWith: [], knownBy: [] },
  subjectDigest: boundDigest(request.binding),
  always: false,
  confirmWord: null,
  decisionId: request.decisionId,
  createdAt: request.openedAt + MINUTE,
  mfa: null,
  ...more,
});

/** The SQLSTATE by which the store refuses the work. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  return 'nothing refused';
}
