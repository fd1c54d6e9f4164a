import type { ToolDocument } from '#lib/formats';
import { EXECUTOR_KINDS, GrantKeyring, IssueGrant, type KeptAnswers, type SentCallName } from '#lib/dispatch';
import { digestOf, newId, type AgentId, type AgentPrincipal, type DecisionId, type Digest, type Tx } from '#lib/kernel';
import { environmentDigest } from '#lib/task';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeGrantKeyStore } from '../../../../registry/dispatch/src/application/fake-grant-key.store.js';
import { FakeGrantRepository } from '../../../../registry/dispatch/src/application/fake-grant.repository.js';
import { FakeToolDispatcher } from '../../../../registry/dispatch/src/application/fake-tool-dispatcher.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { definitionText, sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import { sampleDecision } from '../../../../rules/policy/src/application/fake-decision.js';
import { FakeAutonomyRepository } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { fakeApprovalRows } from '../../../approval/src/application/fake-approval-rows.js';
import { FakeSessionRepository } from '../../../session/src/application/fake-session-repository.js';
import { FakeHaltRepository } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { ALLOWED_FOR_MS, type CallExecutor, type ToolCall, type ToolCallFacts } from '../domain/tool-call.js';
import { AppendCallOutput } from './append-call-output.js';
import { CallJournal } from './call-journal.js';
import { DispatchToolCall } from './dispatch-tool-call.js';
import { ExecuteToolCall } from './execute-tool-call.js';
import { FakeCallOutputStore } from './fake-call-output.store.js';
import { FakeCallFacts } from './fake-call-facts.js';
import { FakeSubmitterStanding } from './fake-submitter-standing.js';
import { FakeToolCallRepository } from './fake-tool-call.repository.js';
import { sampleFacts } from './fake-tool-call.js';
import { ReadCallOutput } from './read-call-output.js';
import { RecordCallAnswer } from './record-call-answer.js';
import { RecordKeptCallAnswer } from './record-kept-call-answer.js';
import { ReportToolCall } from './report-tool-call.js';
import { ResolveToolCall } from './resolve-tool-call.js';
import { StopCalls } from './stop-calls.js';
import { StopForRestore } from './stop-for-restore.js';
import { TakeBackAutomationCalls } from './take-back-automation-calls.js';
import { TakeToolCall } from './take-tool-call.js';
import { ToolCallAnswers } from './tool-call-answer.js';

/** How much longer than the time limit of its tool a call is awaited here. */
export const LEASE_MARGIN_MS = 2_000;
const ARGUMENTS = { targets: ['web-01'] };

/** Allowed calls of a tenant's agent in memory, and every use case that executes them. */
export async function executionWorld(document: Partial<ToolDocument> = {}) {
  const { uow, home, other } = fakeWorld();
  const agent: AgentPrincipal = { ...home.agent, scopes: ['read', 'run'] };
  const stores = {
    tools: new FakeToolRepository(uow),
    executors: new FakeExecutorRepository(uow, [home.production, home.staging]),
    environments: new FakeEnvironmentRepository(uow, [home, other]),
    revisions: new FakeAutonomyRepository(uow),
    halts: new FakeHaltRepository(uow),
  };
  const [audit, dispatcher] = [new FakeAuditSink(uow), new FakeToolDispatcher()];
  const [calls, grantRows] = [new FakeToolCallRepository(uow), new FakeGrantRepository(uow)];
  const keyring = new GrantKeyring(new FakeGrantKeyStore(uow), () => uow.now);
  const grants = new IssueGrant(uow, grantRows, keyring, 'https://countersign.example', () => 0);
  const output = new FakeCallOutputStore(uow);
  const journal = new CallJournal(audit, { of: () => Promise.resolve([]) });
  const sessions = new FakeSessionRepository(uow);
  const recording = new RecordCallAnswer(calls, sessions, journal, output);
  const decided = sampleDecision({ revision: 'r1', wasmDigest: 'sha256:00' });
  const decisions = { find: (_tx: Tx, id: DecisionId) => Promise.resolve({ ...decided, id }) };
  const answers = new ToolCallAnswers(decisions, fakeApprovalRows(uow).requests);
  const facts = new FakeCallFacts(stores);
  const submitters = new FakeSubmitterStanding(uow);
  submitters.own(home, agent.agentId, home.owner.personId);
  const { halts, executors } = stores;
  const dispatching = new DispatchToolCall({
    calls,
    facts,
    halts,
    executors,
    submitters,
    journal,
    executorKinds: EXECUTOR_KINDS,
    leaseMarginMs: LEASE_MARGIN_MS,
  });
  const kept: { answer: Awaited<ReturnType<KeptAnswers['of']>>; readonly asked: SentCallName[] } = {
    answer: null,
    asked: [],
  };
  const keptAnswers: KeptAnswers = {
    of: (_tx, call) => {
      kept.asked.push(call);
      return Promise.resolve(kept.answer);
    },
  };
  const recovering = new RecordKeptCallAnswer(calls, recording, keptAnswers);
  const execute = new ExecuteToolCall({
    ...{ uow, calls, dispatching, answers: recording, grants, dispatcher, recovering, journal },
  });
  const take = new TakeToolCall(uow, calls, dispatching, grants, journal);
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const saveTool = (more: Partial<ToolDocument>, version: number): Promise<void> => {
    const tool = sampleTool('look', { ...document, ...more }, version);
    return atHome((tx) => stores.tools.addVersion(tx, tool, definitionText(tool.definition), home.admin.personId, 0));
  };
  const first = sampleExecutor(home.production, { url: 'https://tools.example.com/1' });
  /** @returns the digest of the version. */
  const saveExecutor = async (version: number, members: Parameters<typeof sampleExecutor>[1] = {}): Promise<Digest> => {
    const url = `https://tools.example.com/${String(version)}`;
    const executor = sampleExecutor(home.production, { id: first.id, version, url, ...members });
    await atHome((tx) => stores.executors.save(tx, home.production.id, executor, home.admin.personId, version));
    return executor.digest;
  };
  /** The agents that act for automations. */
  const ofAutomations = new Set<AgentId>();
  await saveTool({}, 1);
  await saveExecutor(1);

  return {
    ...{ uow, home, agent, stores, dispatcher, kept, atHome, saveTool, saveExecutor, grantRows, take },
    report: new ReportToolCall(uow, calls, recording, grants, answers),
    restore: new StopForRestore(calls, journal, output),
    append: new AppendCallOutput(uow, calls, output),
    output: new ReadCallOutput(uow, calls, output),
    resolve: new ResolveToolCall(uow, calls, journal, answers),
    stop: new StopCalls(
      calls,
      {
        stopCalls: () => Promise.resolve([]),
        sessionEnded: () => Promise.resolve(),
        agentDisabled: () => Promise.resolve(),
      },
      journal,
    ),
    sessions,
    submitters,
    ofAutomations,
    takeBack: new TakeBackAutomationCalls(
      calls,
      { actsForAutomation: (_tx, agentId) => Promise.resolve(ofAutomations.has(agentId)) },
      journal,
    ),
    /** Keeps a call that is allowed now. */
    allowed: async (
      answeredBy: CallExecutor['answeredBy'] = 'executor',
      members: Partial<ToolCallFacts> = {},
    ): Promise<ToolCall> => {
      const { id, name } = home.production;
      const call: ToolCall = {
        ...sampleFacts(home, { decisionId: newId<DecisionId>() }),
        tool: { name: 'look', version: 1 },
        executor: { name: 'fleet', version: 1, digest: first.digest, answeredBy },
        environment: { id, name, digest: environmentDigest(home.production) },
        arguments: ARGUMENTS,
        argumentsDigest: digestOf('arguments', ARGUMENTS),
        targets: ['web-01'],
        shell: null,
        ...members,
        state: 'allowed',
        requestId: null,
        decidedAs: 'auto_approved',
        decidedAt: uow.now,
        allowedUntil: uow.now + ALLOWED_FOR_MS,
      };
      await atHome((tx) => calls.insert(tx, call));
      return call;
    },
    /** Hands over the answer to an attempt that its executor kept. */
    handOver: ({ id }: Pick<ToolCall, 'id'>, attempt = 1) => {
      const source = { type: 'tool_call', id } as const;
      return atHome((tx) => recovering.recordKept(tx, { source, step: id, attempt, idempotencyKey: id }));
    },
    work: ({ id }: Pick<ToolCall, 'id'>) => execute.execute(home.tenantId, id),
    find: async ({ id }: Pick<ToolCall, 'id'>): Promise<ToolCall> => {
      const call = await atHome((tx) => calls.find(tx, id));
      if (call === undefined) throw new Error('the call is gone');
      return call;
    },
    actions: () => audit.of(home).map(({ action }) => action),
    audited: () => audit.of(home),
  };
}
