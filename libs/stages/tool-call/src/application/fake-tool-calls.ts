import { createApprovals } from '#lib/approval';
import { EXECUTOR_KINDS } from '#lib/dispatch';
import type { AgentId, CredentialId } from '#lib/kernel';
import { createSessions } from '#lib/session';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleCredential } from '../../../../people/identity/src/application/fake-credential-samples.js';
import { FakeMfaProofs } from '../../../../people/identity/src/application/fake-mfa-proofs.js';
import { FakeAgentRepository, FakePeopleRows } from '../../../../people/identity/src/application/fake-people.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import { FakeAutonomyRepository } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { FakeHaltRepository } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { fakePolicy } from '../../../../rules/policy/src/fake-policy.js';
import { fakeApprovalRows } from '../../../approval/src/application/fake-approval-rows.js';
import { FakeSessionRepository } from '../../../session/src/application/fake-session-repository.js';
import { FakeSessionTrustRepository } from '../../../session/src/application/fake-session-trust-repository.js';
import { fakeTasks } from '../../../task/src/application/fake-tasks.js';
import { createToolCalls, type ToolCallDeps, type ToolCalls } from '../create-tool-calls.js';
import { FakeCallOutputStore } from './fake-call-output.store.js';
import { FakeSubmitterStanding } from './fake-submitter-standing.js';
import { FakeAgentPeople } from './fake-agent-people.js';
import { FakeCallFacts } from './fake-call-facts.js';
import { FakeToolCallRepository } from './fake-tool-call.repository.js';

/** No request of this world is about a plan. */
const none = () => Promise.resolve(null);
const NO_PLANS = { hold: none, read: none, holdRequest: none, readRequest: none };
const ofNoPlan = () => Promise.reject(new Error('every request is about a call'));

const nothing = () => Promise.reject(new Error('nothing is dispatched here'));
const noDispatch = { dispatch: nothing, of: nothing, ahead: nothing, fetch: nothing, wasIssued: nothing };

/** How much longer than the time limit of its tool a call is awaited here. */
export const LEASE_MARGIN_MS = 2_000;

/** The parts of the gate that a test plays differently. */
type Played = Partial<Pick<ToolCallDeps, 'decisions' | 'dispatcher' | 'keptAnswers' | 'grants'>>;

/** The use cases of single calls over fakes and the real policies. Nothing is dispatched unless a test says how. */
export function fakeToolCalls(
  { uow, home, other }: ReturnType<typeof fakeWorld>,
  { decisions, dispatcher = noDispatch, keptAnswers = noDispatch, grants = noDispatch }: Played = {},
) {
  const stores = {
    tools: new FakeToolRepository(uow),
    executors: new FakeExecutorRepository(uow, [home.production, home.staging]),
    environments: new FakeEnvironmentRepository(uow, [home, other]),
    revisions: new FakeAutonomyRepository(uow),
    halts: new FakeHaltRepository(uow),
  };
  const audit = new FakeAuditSink(uow);
  const { decisions: log, decisionPoint: policy } = fakePolicy(uow);
  const rows = {
    calls: new FakeToolCallRepository(uow),
    facts: new FakeCallFacts(stores),
    agentPeople: new FakeAgentPeople(uow),
    submitters: new FakeSubmitterStanding(uow),
    output: new FakeCallOutputStore(uow),
  };
  const approvals = fakeApprovalRows(uow);
  const sessions = new FakeSessionRepository(uow);
  const agents = new FakeAgentRepository(new FakePeopleRows(uow));
  const shared = { uow, audit, policy, agents, environments: stores.environments, autonomy: stores.revisions };
  const session = createSessions({
    ...{ ...shared, calls: rows.calls, ended: [] },
    rows: { sessions, trusts: new FakeSessionTrustRepository(uow) },
  });
  /** By pool and environment: why a runner takes no snapshot. */
  const noWayBack = new Map<string, string>();
  /** The agents that act for automations. */
  const ofAutomations = new Set<AgentId>();
  const revoked = new Set<CredentialId>();
  /** Every credential is a browser session. */
  const browser: Parameters<typeof createApprovals>[0]['credentials'] = {
    stillGood: (_tx, _personId, id) => Promise.resolve(!revoked.has(id)),
    find: (_tx, id, { personId }) =>
      Promise.resolve(
        sampleCredential({ kind: 'browser_session', personId }, 0, {
          id,
          scopes: ['review'],
          revokedAt: revoked.has(id) ? uow.now : null,
        }),
      ),
  };
  const proofs = new FakeMfaProofs(uow);
  const approval = createApprovals({
    ...{
      uow,
      audit,
      policy,
      proofs,
      rows: approvals,
      outbox: new FakeOutbox(uow),
      plans: NO_PLANS,
      credentials: browser,
    },
    deliver: () => undefined,
    autonomy: { revisions: stores.revisions, approvalDemand: { inProduction: ofNoPlan } },
    task: fakeTasks(uow),
    definitions: { execute: () => Promise.resolve(null) },
    approved: { requestApproved: ofNoPlan },
    calls: {
      holdRequest: (...request) => parts.subjects.holdRequest(...request),
      readRequest: (...request) => parts.subjects.readRequest(...request),
      read: (...call) => parts.subjects.read(...call),
      about: (...calls) => parts.subjects.about(...calls),
      callApproved: (...event) => parts.settleToolCall.callApproved(...event),
      callDenied: (...event) => parts.settleToolCall.callDenied(...event),
    },
  });
  const parts: ToolCalls = createToolCalls({
    ...{ ...shared, rows, session, approval, dispatcher, keptAnswers, grants, tool: stores, halts: stores.halts },
    jobs: new FakeJobQueue(uow),
    decisions: decisions ?? log,
    enclosing: { of: () => Promise.resolve([]) },
    credentials: { actsForAutomation: (_tx, agentId) => Promise.resolve(ofAutomations.has(agentId)) },
    noWayBack: (_tx, pool, environment) => Promise.resolve(noWayBack.get(`${pool} ${environment}`) ?? null),
    executorKinds: EXECUTOR_KINDS,
    leaseMarginMs: LEASE_MARGIN_MS,
  });
  return {
    ...{ parts, stores, rows, audit, log, policy, people: approvals.people, requests: approvals.requests, approval },
    ...{ sessions, proofs, revoked, noWayBack, ofAutomations },
  };
}
