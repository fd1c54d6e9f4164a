import { newId, type AuditEntryId, type LoggedEvent } from '#lib/kernel';
import { FakeAuditSink, FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { LifecycleHookId } from '../domain/ids.js';
import type { HookAction, LifecycleHook } from '../domain/lifecycle-hook.js';
import { FakeHookExecutions } from './fake-hook-executions.js';
import { WriteExecutions } from './write-executions.js';

const LOG: HookAction = {
  type: 'log',
  message:
    '{{hookName}}|{{event}}|{{toolName}}|{{args}}|{{args.path}}|{{args.none}}|{{agentId}}|{{agentName}}|{{error}}|{{result}}',
};
const hook = (name: string, event: string, changes: Partial<LifecycleHook> = {}): LifecycleHook => ({
  ...{ id: newId<LifecycleHookId>(), name, event, matcher: '*', action: LOG, enabled: true, position: 0 },
  ...{ createdBy: world.home.admin.personId, createdAt: 0 },
  ...changes,
});
const logged = (action: string, changes: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: newId<AuditEntryId>(), occurredAt: 0, level: 'basic', action, within: [], payload: {} },
  actor: { kind: 'agent', id: 'agent-1', display_name: 'coder', credential_id: null, on_behalf_of: null },
  subject: { type: 'tool_call', id: 'call-1' },
  ...changes,
});

const world = fakeWorld();

async function taken(hooks: readonly LifecycleHook[], events: readonly LoggedEvent[]) {
  const executions = new FakeHookExecutions(world.uow);
  const audit = new FakeAuditSink(world.uow);
  const jobs = new FakeJobQueue(world.uow);
  const call = { tool: 'file_write', parameters: { path: 'a', token: 'hunter22' }, output: 'done', agent: 'coder' };
  const follower = new WriteExecutions({
    ...{ executions, audit, jobs },
    hooks: { all: () => Promise.resolve(hooks) },
    calls: { of: (_tx, entries) => Promise.resolve(new Map(entries.map(({ id }) => [id, call]))) },
    callers: { of: () => Promise.resolve(new Map()) },
    eventsOf: ({ action }) =>
      ({
        'tool_call.dispatched': ['tool.started'],
        'tool_call.succeeded': ['tool.completed'],
        'tool_call.failed': ['tool.failed'],
        'run.failed': ['run.failed'],
        'lifecycle_hook.changed': ['guardrail.lifecycle_hook_changed'],
        'runner.answered_late': ['guardrail.runner_answered_late'],
      })[action] ?? [],
  });
  return world.uow.run(world.home.tenantId, async (tx) => {
    await follower.take(tx, events);
    const found = await executions.list(tx, {}, { after: null, limit: 2_000 });
    return { executions: found, entries: audit.of(tx), jobs: jobs.of(tx) };
  });
}

describe('the events of hooks', () => {
  it.each([
    ['tool.execute', 'tool_call.dispatched', ['tool.execute']],
    ['tool.started', 'tool_call.dispatched', ['tool.started']],
    ['tool.completed', 'tool_call.succeeded', ['tool.completed']],
    ['tool.failed', 'tool_call.failed', ['tool.failed']],
    ['agent.error', 'tool_call.failed', ['agent.error']],
    ['agent.error', 'agent_error.reported', ['agent.error']],
    ['agent.error', 'tool_call.succeeded', []],
    ['run.failed', 'run.failed', ['run.failed']],
    ['run.*', 'run.failed', ['run.failed']],
    ['guardrail.*', 'lifecycle_hook.changed', []],
    ['guardrail.*', 'runner.answered_late', ['guardrail.runner_answered_late']],
  ])('%s hears of %s: %j', async (event, action, expected) => {
    const { executions } = await taken([hook('one', event)], [logged(action)]);
    expect(executions.map((each) => each.event)).toEqual(expected);
  });

  it('no hook is the cause of another: the call of a hook raises nothing', async () => {
    const late = logged('runner.answered_late', { within: [{ type: 'lifecycle_hook', id: 'one' }] });
    const own = logged('lifecycle_hook_execution.failed');
    expect((await taken([hook('one', 'guardrail.*')], [late, own])).executions).toEqual([]);
  });
});

describe('the matcher', () => {
  it.each([
    ['tool.execute', 'file_*', 'tool_call.dispatched', true],
    ['tool.execute', 'deploy*', 'tool_call.dispatched', false],
    ['agent.error', 'coder', 'agent_error.reported', true],
    ['agent.error', 'other', 'agent_error.reported', false],
    ['run.*', 'run.failed', 'run.failed', true],
    ['run.*', 'run.started', 'run.failed', false],
  ])('of %s reads %s for %s: %s', async (event, matcher, action, expected) => {
    const { executions } = await taken([hook('one', event, { matcher })], [logged(action)]);
    expect(executions.length === 1).toBe(expected);
  });
});

it('a log hook writes an entry with each placeholder, masked', async () => {
  const { entries, executions, jobs } = await taken([hook('audit', 'tool.completed')], [logged('tool_call.succeeded')]);
  const [execution] = executions;
  expect(execution).toMatchObject({ kind: 'log', state: 'succeeded' });
  const message = 'audit|tool.completed|file_write|{"path":"a","token":[masked]}|a||agent-1|coder||done';
  expect(execution?.output).toBe(message);
  expect(entries).toMatchObject([
    { action: 'lifecycle_hook_execution.logged', payload: { hook: 'audit', event: 'tool.completed', message } },
  ]);
  expect(jobs).toEqual([]);
});

it('a command waits for a runner, with its values in place; a hook that is off is not executed', async () => {
  const action: HookAction = {
    ...{ type: 'command', program: 'notify', arguments: ['--', '{{args.path}}'], variables: { HOOK_E: '{{event}}' } },
    ...{ timeoutSeconds: 30, pool: 'builders', environment: 'staging' },
  };
  const { executions, jobs } = await taken(
    [hook('tell', 'tool.completed', { action }), hook('off', 'tool.completed', { action, enabled: false })],
    [logged('tool_call.succeeded')],
  );
  expect(executions).toMatchObject([
    {
      ...{ hook: 'tell', state: 'pending', pool: 'builders', environment: 'staging' },
      call: { program: 'notify', arguments: ['--', 'a'], variables: { HOOK_E: 'tool.completed' }, timeout_seconds: 30 },
    },
  ]);
  expect(jobs).toEqual([{ name: 'lifecycle_hook.execute', id: executions[0]?.id }]);
});

it('T22: of more than a thousand that wait, the oldest are dropped, and the log says so', async () => {
  const action: HookAction = {
    ...{ type: 'command', program: 'notify', arguments: [], variables: {} },
    ...{ timeoutSeconds: 30, pool: 'builders', environment: 'staging' },
  };
  const many = Array.from({ length: 1_003 }, () => logged('tool_call.succeeded'));
  const { entries, executions } = await taken([hook('tell', 'tool.completed', { action })], many);
  const dropped = executions.filter(({ state }) => state === 'expired');
  expect(dropped.map(({ fault }) => fault?.code)).toEqual(Array(3).fill('lifecycle_hook.backlog_full'));
  expect(entries).toMatchObject([{ action: 'lifecycle_hook_execution.dropped', payload: { hook: 'tell', count: 3 } }]);
});
