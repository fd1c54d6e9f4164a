import { EXECUTOR_KINDS } from '#lib/dispatch';
import { CALLS_PER_HOUR } from '#lib/formats';
import { FakeAuditSink, FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { JudgeAutomationCall } from './judge-automation-call.js';
import { FakeToolCallRepository } from './fake-tool-call.repository.js';
import { LimitCalls } from './limit-calls.js';
import { MakeAutomationCall } from './make-automation-call.js';
import { ToolCallJournal } from './tool-call-journal.js';

const never = (): never => {
  throw new Error('nothing is decided and nothing is kept');
};

it('puts no call to the policies that is over the limit of its agent', async () => {
  const { uow, home } = fakeWorld();
  const audit = new FakeAuditSink(uow);
  const limits = new LimitCalls(
    {
      lockCounts: never,
      lockUse: () => Promise.resolve({ inHour: CALLS_PER_HOUR, inTurn: 0, inFlight: 0 }),
      askedSince: () => Promise.resolve(null),
      firstRefusal: () => Promise.resolve(true),
    },
    audit,
  );
  const known = { now: uow.now, tool: sampleTool('look'), environment: home.staging };
  const facts = { ...known, executor: null, autonomy: null, halts: [] };
  const judge = new JudgeAutomationCall(
    { decide: never, evaluate: never },
    { read: () => Promise.resolve(facts) },
    EXECUTOR_KINDS,
  );
  const make = new MakeAutomationCall({
    ...{ limits, judge, jobs: new FakeJobQueue(uow), calls: { insert: never, insertUnjudged: never } },
    ...{ executorKinds: EXECUTOR_KINDS, bundleRevision: 'r1', journal: new ToolCallJournal(audit) },
  });
  const { agentId } = home.agent;
  const asked = { tool: 'look', environment: 'staging', agentId, accepted: null, arguments: { targets: ['web-01'] } };
  const made = await uow.run(home.tenantId, (tx) => make.execute(tx, home.agent, asked, []));
  expect(made).toMatchObject({ ok: false, error: { code: 'tool_call.budget_spent' } });
  expect(audit.of(home).map(({ action }) => action)).toEqual(['tool_call.limited']);
});

it('counts a call that lacks a fact in the hour of its agent', async () => {
  const { uow, home } = fakeWorld();
  const audit = new FakeAuditSink(uow);
  const calls = new FakeToolCallRepository(uow);
  const known = { now: uow.now, tool: null, environment: home.staging };
  const facts = { ...known, executor: null, autonomy: null, halts: [] };
  const judge = new JudgeAutomationCall(
    { decide: never, evaluate: never },
    { read: () => Promise.resolve(facts) },
    EXECUTOR_KINDS,
  );
  const make = new MakeAutomationCall({
    ...{ calls, judge, jobs: new FakeJobQueue(uow), limits: new LimitCalls(calls, audit) },
    ...{ executorKinds: EXECUTOR_KINDS, bundleRevision: 'r1', journal: new ToolCallJournal(audit) },
  });
  const { agentId } = home.agent;
  const asked = { tool: 'never', environment: 'staging', agentId, accepted: null, arguments: {} };
  const made = await uow.run(home.tenantId, (tx) => make.execute(tx, home.agent, asked, []));
  expect(made).toMatchObject({ value: { kind: 'blocked', fault: { code: 'policy.unknown_tool' } } });
  const used = await uow.run(home.tenantId, (tx) => calls.lockUse(tx, { kind: 'agent', id: agentId }, null));
  expect(used.inHour).toBe(1);
});
