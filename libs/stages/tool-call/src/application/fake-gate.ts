import { boundDigest, createApprovals, type ApprovalRequest } from '#lib/approval';
import type { JsonObject } from '#lib/canonical';
import { EXECUTOR_KINDS } from '#lib/dispatch';
import type { ConfirmWord, ToolDocument, Verdict } from '#lib/formats';
import type { HaltTarget } from '#lib/halt';
import {
  actorOf,
  type ApprovalRequestId,
  type CredentialId,
  type HeldRole,
  type PersonPrincipal,
  type Principal,
  type Tx,
} from '#lib/kernel';
import { TaskAccess } from '#lib/task';
import { createSessions, type Session } from '#lib/session';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleCredential } from '../../../../people/identity/src/application/fake-credential-samples.js';
import { FakeMfaProofs } from '../../../../people/identity/src/application/fake-mfa-proofs.js';
import { FakeAgentRepository, FakePeopleRows } from '../../../../people/identity/src/application/fake-people.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { definitionText, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import {
  FakeAutonomyRepository,
  sampleRevision,
} from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { FakeHaltRepository, sampleHalt } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { fakePolicy } from '../../../../rules/policy/src/fake-policy.js';
import { fakeApprovalRows } from '../../../approval/src/application/fake-approval-rows.js';
import { FakeSessionRepository } from '../../../session/src/application/fake-session-repository.js';
import { FakeSessionTrustRepository } from '../../../session/src/application/fake-session-trust-repository.js';
import { sampleSession } from '../../../session/src/application/fake-session.js';
import { CallJournal } from './call-journal.js';
import { CancelToolCall } from './cancel-tool-call.js';
import { DenyPendingCalls } from './deny-pending-calls.js';
import { FakeAgentPeople } from './fake-agent-people.js';
import { FakeCallFacts } from './fake-call-facts.js';
import { FakeToolCallRepository } from './fake-tool-call.repository.js';
import { GetToolCall } from './get-tool-call.js';
import { JudgeToolCall } from './judge-tool-call.js';
import { LimitCalls } from './limit-calls.js';
import { ListSessionCalls } from './list-session-calls.js';
import { SettleToolCall } from './settle-tool-call.js';
import { SubmitToolCall, type ToolCallQuestion } from './submit-tool-call.js';
import { ToolCallAnswers, type ToolCallAnswer } from './tool-call-answer.js';
import { ToolCallJournal } from './tool-call-journal.js';
import { ToolCallSubjects } from './tool-call-subjects.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
`;

/** A tool that changes a sandbox, and has nothing to simulate. */
export const LABEL: Partial<ToolDocument> = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  requires_plan: false,
  simulation: 'not_applicable',
  identity_fields: ['/targets'],
};
/** A tool that executes a command line in a sandbox. */
const SHELL: Partial<ToolDocument> = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  idempotent: false,
  surface: 'terminal',
  requires_plan: false,
  simulation: 'not_applicable',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
};
/** Tools that read and write a file of one host: an answer about one file holds for every file of the host. */
const FILE: Partial<ToolDocument> = {
  surface: 'workspace',
  parameters: { type: 'object', properties: { host: { type: 'string' }, path: { type: 'string' } } },
  identity_fields: ['/host'],
};
const READ_FILE: Partial<ToolDocument> = { ...FILE, path_arguments: { reads: ['/path'] } };
const WRITE_FILE: Partial<ToolDocument> = { ...LABEL, ...FILE, path_arguments: { writes: ['/path'] } };
export const TARGETS = { targets: ['sandbox-1'] };

const QUESTION: ToolCallQuestion = {
  tool: 'look',
  place: { environment: 'production' },
  arguments: TARGETS,
  clientCallId: null,
  turnId: null,
  reason: null,
};

/** No request of this world is about a plan. */
const none = () => Promise.resolve(null);
const NO_PLANS = { hold: none, read: none, holdRequest: none, readRequest: none };
const ofNoPlan = () => Promise.reject(new Error('every request is about a call'));

/**
 * A tenant in memory, under the real policies: the tool `look` reads, `label` changes a sandbox, `shell` executes a line, and
 * `read-file` and `write-file` name a path. A SRELead approves changes of staging.
 */
export async function fakeGate() {
  const { uow, home, other } = fakeWorld();
  const running = <By extends Principal>(by: By): By => ({ ...by, scopes: ['read', 'run'] });
  const stores = {
    tools: new FakeToolRepository(uow),
    executors: new FakeExecutorRepository(uow, [home.production, home.staging]),
    environments: new FakeEnvironmentRepository(uow, [home, other]),
    revisions: new FakeAutonomyRepository(uow),
    halts: new FakeHaltRepository(uow),
  };
  const audit = new FakeAuditSink(uow);
  const { decisions: log, decisionPoint: policy } = fakePolicy(uow);
  const calls = new FakeToolCallRepository(uow);
  const sessions = new FakeSessionRepository(uow);
  const trusts = new FakeSessionTrustRepository(uow);
  const rows = fakeApprovalRows(uow);
  const { requests, people } = rows;
  const agents = new FakeAgentRepository(new FakePeopleRows(uow));
  const session = createSessions({
    ...{ uow, audit, policy, agents, calls, rows: { sessions, trusts } },
    ...{ environments: stores.environments, autonomy: stores.revisions, ended: [] },
  });
  const answers = new ToolCallAnswers(log, requests);
  const journal = new ToolCallJournal(audit);
  const jobs = new FakeJobQueue(uow);
  const settle = new SettleToolCall(calls, jobs, journal, sessions, session.trustCall);
  /** By pool and environment: why a runner takes no snapshot. */
  const noWayBack = new Map<string, string>();
  const agentPeople = new FakeAgentPeople(uow);
  agentPeople.own(home, home.agent.agentId, home.owner.personId);
  const subjects = new ToolCallSubjects({
    ...{ policy, sessions, calls, requests, claims: rows.claims, executorKinds: EXECUTOR_KINDS },
    ...{ tools: stores.tools, executors: stores.executors, environments: stores.environments },
    ...{ autonomy: stores.revisions, halts: stores.halts },
    noWayBack: (_tx, pool, environment) => Promise.resolve(noWayBack.get(`${pool} ${environment}`) ?? null),
    agents: agentPeople,
  });
  const revoked = new Set<CredentialId>();
  /** Every credential is a browser session. */
  const browser: Parameters<typeof createApprovals>[0]['credentials'] = {
    stillGood: (_tx, _personId, id) => Promise.resolve(!revoked.has(id)),
    find: (_tx, id, { personId }) =>
      Promise.resolve(
        sampleCredential({ kind: 'session', personId }, 0, {
          id,
          scopes: ['review'],
          revokedAt: revoked.has(id) ? uow.now : null,
        }),
      ),
  };
  const proofs = new FakeMfaProofs(uow);
  const approval = createApprovals({
    ...{ uow, audit, policy, rows, proofs, outbox: new FakeOutbox(uow), plans: NO_PLANS, credentials: browser },
    carry: ({ request }) => request.id,
    autonomy: { revisions: stores.revisions, approvalDemand: { inProduction: ofNoPlan } },
    task: { access: new TaskAccess({ ownerOf: ofNoPlan }) },
    definitions: { execute: () => Promise.resolve(null) },
    approved: { requestApproved: ofNoPlan },
    calls: {
      holdRequest: (...request) => subjects.holdRequest(...request),
      readRequest: (...request) => subjects.readRequest(...request),
      read: (...call) => subjects.read(...call),
      about: (...calls) => subjects.about(...calls),
      callApproved: (...event) => settle.callApproved(...event),
      callDenied: (...event) => settle.callDenied(...event),
    },
  });
  const { voidRequests: voiding } = approval;
  const submit = new SubmitToolCall({
    ...{ uow, jobs, executorKinds: EXECUTOR_KINDS, calls, subjects, answers, journal },
    sessions: session.access,
    limits: new LimitCalls(calls, audit),
    facts: new FakeCallFacts(stores),
    judge: new JudgeToolCall(policy, trusts, agentPeople, approval.callReviewers),
    bundleRevision: policy.bundleRevision,
    openRequest: approval.openCallRequest,
  });
  const [reader, listing] = [
    new GetToolCall(uow, calls, answers),
    new ListSessionCalls(uow, session.access, calls, stores.tools, subjects),
  ];
  const cancelling = new CancelToolCall({
    uow,
    calls,
    agents,
    requests: voiding,
    answers,
    journal: new CallJournal(audit, { of: () => Promise.resolve([]) }),
  });
  const denying = new DenyPendingCalls(calls, voiding);
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const submitted = (by: Principal, question: Partial<ToolCallQuestion>) =>
    submit.execute(by, { ...QUESTION, ...question });
  const put = (source: string, number: number): Promise<void> =>
    atHome((tx) => stores.revisions.put(tx, sampleRevision(source, { number })));
  const ask = async (
    tool = 'look',
    environment = 'production',
    args: JsonObject = TARGETS,
    by: Principal = running(home.agent),
  ): Promise<ToolCallAnswer> => {
    const answer = await submitted(by, { tool, place: { environment }, arguments: args });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value;
  };
  const request = async (id: ApprovalRequestId | null): Promise<ApprovalRequest> => {
    const found = id === null ? null : await atHome((tx) => requests.find(tx, id));
    if (found === null) throw new Error('nobody is asked');
    return found;
  };
  await atHome(async (tx) => {
    const documents = { look: {}, label: LABEL, shell: SHELL, 'read-file': READ_FILE, 'write-file': WRITE_FILE };
    for (const tool of Object.entries(documents).map(([name, document]) => sampleTool(name, document)))
      await stores.tools.addVersion(tx, tool, definitionText(tool.definition), home.admin.personId, 0);
  });
  await put(AUTONOMY, 1);
  return {
    noWayBack,
    ...{
      home,
      other,
      running,
      uow,
      audit,
      policy,
      put,
      submitted,
      ask,
      request,
      stores,
      subjects,
      atHome,
      sessions,
      calls,
    },
    /** A person who holds this role since before every request, signed in to a browser. */
    person: (role: string): PersonPrincipal => {
      const person = samplePerson(home.tenantId);
      const held = [{ role, assignedAt: 0 }];
      const names = { displayName: 'A person', nameForAgents: 'A person' };
      people.rows.of(home).set(person.personId, {
        personId: person.personId,
        ...names,
        disabled: false,
        joinedAt: 0,
        roles: held,
        waysIn: [],
      });
      return { ...person, credentialKind: 'session', scopes: ['review'], roles: held };
    },
    /** Changes the standing of a person since then. */
    stands: (
      { personId }: PersonPrincipal,
      members: { readonly disabled?: boolean; readonly roles?: readonly HeldRole[] },
    ) => {
      const person = people.rows.of(home).get(personId);
      if (person === undefined) throw new Error('nobody of this tenant');
      return people.rows.of(home).set(personId, { ...person, ...members });
    },
    signOut: ({ credentialId }: PersonPrincipal) => revoked.add(credentialId),
    opened: async (members: Partial<Session> = {}) => {
      const session = sampleSession(home, { openedAt: uow.now, ...members });
      await atHome((tx) => sessions.insert(tx, session));
      return session;
    },
    /** The calls beside the budget of a session. */
    made: async ({ id }: Session) => (await atHome((tx) => calls.countMany(tx, [id]))).get(id) ?? 0,
    call: ({ id }: Pick<ToolCallAnswer, 'id'>) => atHome((tx) => calls.find(tx, id)),
    get: (by: Principal, { id }: ToolCallAnswer) => reader.execute(by, id),
    list: (by: Principal, session: Session) => listing.execute(by, session.id, { after: null, limit: 10 }),
    cancel: (by: Principal, { id }: ToolCallAnswer) => cancelling.execute(by, id),
    review: async (
      by: PersonPrincipal,
      { requestId }: ToolCallAnswer,
      verdict: Verdict = 'approve',
      more: { readonly confirm_word?: string; readonly always?: boolean; readonly step_up_id?: string } = {},
    ) => {
      const { id, binding } = await request(requestId);
      return approval.submitReview.execute(by, id, { verdict, subject_digest: boundDigest(binding), ...more });
    },
    /** A proof for an approval of this request, with more members of its operation. */
    proofOf: async (
      by: PersonPrincipal,
      { requestId }: ToolCallAnswer,
      more: { readonly always?: true; readonly confirm_word?: ConfirmWord } = {},
    ) => {
      const { id, binding } = await request(requestId);
      const operation = { kind: 'review', request_id: id, verdict: 'approve', comment: '' } as const;
      return proofs.prove(home.tenantId, by.personId, { ...operation, subject_digest: boundDigest(binding), ...more });
    },
    /** Ends the time of a request. */
    expire: async ({ requestId }: ToolCallAnswer) => {
      const { id, expiresAt } = await request(requestId);
      uow.now = expiresAt;
      return approval.expireDue.execute(home.tenantId, id);
    },
    endSession: (session: Session, principal: Principal) =>
      atHome(async (tx) =>
        denying.sessionEnded(tx, { session, principal, actor: actorOf(principal), at: await tx.now() }),
      ),
    stop: (target: HaltTarget) =>
      atHome(async (tx) => denying.stopCalls(tx, target, { principal: home.admin, at: await tx.now() })),
    agentDisabled: () =>
      atHome(async (tx) =>
        denying.agentDisabled(tx, home.agent.agentId, { principal: home.admin, at: await tx.now() }),
      ),
    halt: async (target: HaltTarget) => {
      const halt = sampleHalt(home, target);
      await atHome((tx) => stores.halts.insert(tx, halt));
      const lifted = { at: 0, by: actorOf(home.admin), note: 'over' };
      return () => atHome((tx) => stores.halts.saveLifted(tx, { ...halt, lifted }));
    },
    kept: ({ decisionId }: ToolCallAnswer) => (decisionId === null ? null : atHome((tx) => log.find(tx, decisionId))),
    audited: () => audit.of(home),
  };
}

export const codesOf = ({ decision }: ToolCallAnswer): readonly string[] => decision.reasons.map(({ code }) => code);
