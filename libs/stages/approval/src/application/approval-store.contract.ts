import type { Decision } from '#lib/policy-inputs';
import {
  digestOf,
  newId,
  type AgentId,
  type ApprovalRequestId,
  type CredentialId,
  type DecisionId,
  type HeldRole,
  type PersonId,
  type PlanId,
  type ReviewId,
  type TaskId,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { ApprovalRequest, AskedSubject, OpenRequest, Review } from '../domain/approval-request.js';
import { decideApproval, type ApprovalEvent } from '../domain/decide-approval.js';
import type {
  AbsenceRepository,
  ApprovalRepository,
  ClaimRepository,
  FloodRepository,
  People,
  ReminderRepository,
} from './approval.ports.js';

/** The task, plan and decision that a request is about. */
export interface Ground {
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly decisionId: DecisionId;
}

export interface Holder<Id> {
  readonly id: Id;
  readonly credentialId: CredentialId;
}

/** The ports of this library in a tenant of its own, and the rows of other libraries that theirs refer to. */
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
  /** A plan of a task; of a task of its own unless one is named. */
  plan(of?: PlanWish): Promise<Ground>;
}

export interface PlanWish {
  readonly taskId?: TaskId;
  readonly revision?: number;
  readonly goal?: string;
  readonly environment?: 'production' | 'staging';
  readonly targets?: readonly string[];
  readonly phases?: AskedSubject['phases'];
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

/** A request as it opens: now, for an hour, unless said otherwise. */
export async function openRequest(
  store: Pick<ApprovalStore, 'uow' | 'tenantId' | 'agent' | 'plan'>,
  more: Partial<OpenRequest> = {},
  wish: PlanWish = {},
): Promise<OpenRequest> {
  const { taskId, planId, decisionId } = await store.plan(wish);
  const openedAt = more.openedAt ?? (await inTx(store, (tx) => tx.now()));
  const { id: agentId, credentialId } =
    more.requester === undefined ? await store.agent() : { id: '', credentialId: '' };
  const requester = {
    kind: 'agent',
    id: agentId as AgentId,
    onBehalfOf: null,
    credentialId: credentialId as CredentialId,
  };
  const mark = (name: string) => digestOf('plan', { planId, name });
  return {
    state: 'open',
    id: newId<ApprovalRequestId>(),
    subject: { type: 'plan', id: planId, taskId, simulationId: null, phases: wish.phases ?? 'all' },
    binding: {
      subject: { plan: mark('plan'), task: mark('task'), simulation: null },
      environment: mark('environment'),
      tools: { 'execute_rollout_prod@1': mark('tool') },
      executors: { fleet: mark('executor') },
    },
    bindingDigest: mark('binding'),
    contentDigest: mark('content'),
    risk: 'critical',
    targets: 3,
    decisionId,
    decision,
    autonomyRevisionId: null,
    bundleRevision: mark('bundle'),
    excluded: [{ personId: newId<PersonId>(), why: 'same_hand', sharesWith: newId<PersonId>() }],
    requester: requester as OpenRequest['requester'],
    start: { kind: 'manual' },
    startAfter: null,
    openedAt,
    expiresAt: openedAt + 60 * MINUTE,
    ...more,
  };
}

/** One that is stored. */
export async function asked(
  store: ApprovalStore,
  more: Partial<OpenRequest> = {},
  wish: PlanWish = {},
): Promise<OpenRequest> {
  const request = await openRequest(store, more, wish);
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
  planDigest: request.binding.subject.plan,
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
