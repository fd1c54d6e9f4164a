import type { ToolDocument } from '#lib/formats';
import { createGrants, type KeptAnswers, type SentCallName } from '#lib/dispatch';
import {
  digestOf,
  newId,
  type AgentPrincipal,
  type DecisionId,
  type Digest,
  type Principal,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import { environmentDigest } from '#lib/task';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeGrantKeyStore } from '../../../../registry/dispatch/src/application/fake-grant-key.store.js';
import { FakeGrantRepository } from '../../../../registry/dispatch/src/application/fake-grant.repository.js';
import { FakeToolDispatcher } from '../../../../registry/dispatch/src/application/fake-tool-dispatcher.js';
import { definitionText, sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleRevision } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { sampleDecision } from '../../../../rules/policy/src/application/fake-decision.js';
import { ALLOWED_FOR_MS, type CallExecutor, type ToolCall, type ToolCallFacts } from '../domain/tool-call.js';
import { fakeToolCalls } from './fake-tool-calls.js';
import { sampleFacts } from './fake-tool-call.js';
import type { TakenCall } from './take-tool-call.js';

const ARGUMENTS = { targets: ['web-01'] };

/** Allowed calls of a tenant's agent in memory, and every use case that executes them. */
export async function executionWorld(document: Partial<ToolDocument> = {}) {
  const world = fakeWorld();
  const { uow, home } = world;
  const agent: AgentPrincipal = { ...home.agent, scopes: ['read', 'run'] };
  const dispatcher = new FakeToolDispatcher();
  const grantRows = new FakeGrantRepository(uow);
  const { issue: grants } = createGrants({
    ...{ uow, rows: { grants: grantRows, grantKeys: new FakeGrantKeyStore(uow) } },
    issuer: 'https://countersign.example',
    monotonicMs: () => uow.now,
  });
  const decided = sampleDecision({ revision: 'r1', wasmDigest: 'sha256:00' });
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
  const { parts, stores, audit, rows, sessions, ofAutomations } = fakeToolCalls(world, {
    ...{ dispatcher, grants, keptAnswers },
    decisions: { find: (_tx, id) => Promise.resolve({ ...decided, id }) },
  });
  const { calls, facts, submitters } = rows;
  submitters.own(home, agent.agentId, home.owner.personId);
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
  await saveTool({}, 1);
  await saveExecutor(1);

  return {
    ...{
      uow,
      home,
      agent,
      stores,
      dispatcher,
      kept,
      atHome,
      saveTool,
      saveExecutor,
      grantRows,
    },
    /** Has the reader of a call take it up. */
    take: async (by: Principal, id: ToolCallId): Promise<TakenCall> => {
      const read = await parts.getToolCall.execute(home.owner, id);
      if (!read.ok) throw new Error(read.error.message);
      return parts.takeToolCall.execute(by, read.value);
    },
    report: parts.reportToolCall,
    restore: parts.restore,
    append: parts.appendCallOutput,
    output: parts.readCallOutput,
    resolve: parts.resolveToolCall,
    stop: parts.stopCalls,
    ...{ sessions, submitters, ofAutomations },
    /** Puts an autonomy document in force that Countersign did not write. */
    forgeAutonomy: () => atHome((tx) => facts.forge(tx, sampleRevision('autonomy:\n  mode: full_auto\n'))),
    takeBack: parts.takeBackAutomationCalls,
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
      return atHome((tx) => parts.recordKept.recordKept(tx, { source, step: id, attempt, idempotencyKey: id }));
    },
    work: ({ id }: Pick<ToolCall, 'id'>) => parts.executeToolCall.execute(home.tenantId, id),
    find: async ({ id }: Pick<ToolCall, 'id'>): Promise<ToolCall> => {
      const call = await atHome((tx) => calls.find(tx, id));
      if (call === null) throw new Error('the call is gone');
      return call;
    },
    actions: () => audit.of(home).map(({ action }) => action),
    audited: () => audit.of(home),
  };
}
