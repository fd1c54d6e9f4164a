import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import {
  createTaskSessionFromClient,
  TaskCancelledError,
  resultFromTaskOutcome,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { expectStatus } from '../support/api.js';
import { MCP_CLIENT, openMcpWorld, type McpWorld } from '../support/mcp-world.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const declaring = { extensions: { [EXTENSION]: {} } };
const NOBODYS = '0199c0de-0000-7000-8000-000000000001';

type TaskId = Parameters<TaskEnabledSession['task']>[0];

let world: McpWorld;
const sessions: TaskEnabledSession[] = [];

beforeAll(async () => {
  world = await openMcpWorld();
});
afterAll(async () => {
  for (const session of sessions) await session.close();
  await world.close();
});

interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const posted = async (...asked: Parameters<McpWorld['posted']>): Promise<Answer> =>
  (await (await world.posted(...asked)).json()) as Answer;

/** The extension's own client, over the client of the SDK. */
async function session(token = world.bot.token): Promise<TaskEnabledSession> {
  const { client } = await world.connected('2026-07-28', { token, capabilities: declaring });
  const opened = createTaskSessionFromClient(client, {
    endpointId: 'countersign',
    v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo: MCP_CLIENT, clientCapabilities: declaring },
    rawDispatch: async (request) => {
      const { method, params } = request as { method: string; params: object };
      const { result, error } = await posted(method, params, { token, capabilities: declaring });
      return error === undefined
        ? { kind: 'result', result: result as never }
        : { kind: 'error', error: error as never };
    },
  });
  sessions.push(opened);
  return opened;
}

async function waiting(name: string, input: object, opened?: TaskEnabledSession): Promise<TaskId> {
  const execution = await (opened ?? (await session())).callTool(name, { ...input });
  if (execution.kind !== 'task') throw new Error(`${name} gave no task`);
  // It would read the task every few seconds; a test reads it as it needs.
  await execution.detach();
  return execution.handle.taskId;
}

/** The request that asks people about a call. */
const requestOf = async (callId: string): Promise<string> =>
  (
    expectStatus(await world.api.http(world.bot.token).get(`/v1/tool-calls/${callId}`), 200).body as {
      request_id: string;
    }
  ).request_id;

/** The structured answer of a task, as soon as it is over. */
async function outcomeOf(taskId: TaskId): Promise<Record<string, unknown>> {
  const outcome = await (await session()).task(taskId).result();
  return (resultFromTaskOutcome(outcome) as { structuredContent: Record<string, unknown> }).structuredContent;
}

describe('a client that declares the tasks extension', () => {
  it('is told that the server has it, unlike a client of the protocol of 2025', async () => {
    const discovered = await posted('server/discover', {});
    expect(discovered.result?.capabilities).toMatchObject(declaring);
    const { client } = await world.connected('2025-11-25');
    expect(client.getServerCapabilities()?.extensions).toBeUndefined();
  });

  it.each(['approve', 'reject'] as const)(
    'has a task for a call that waits, and its answer later: %s',
    async (verdict) => {
      const id = await waiting('submit_tool_call', world.another());
      const task = await (await session()).task(id).snapshot();
      const requestId = await requestOf(id);
      expect(task).toMatchObject({ status: 'working', retentionMs: null, suggestedPollIntervalMs: 5_000 });
      expect(task.statusMessage).toContain(`${world.api.config.publicUrl}/requests/${requestId}`);
      await world.answered(requestId, verdict);
      const answer = await outcomeOf(id);
      expect(answer).toMatchObject({ id, outcome: verdict === 'approve' ? 'executing' : 'denied' });
      expect(typeof answer.grant).toBe(verdict === 'approve' ? 'string' : 'undefined');
    },
  );

  it('has a task for the request of a plan, under the id of the request', async () => {
    const { call } = await world.connected();
    const task = { goal: 'To tidy up', task_type: 'tidying', environment: 'staging' };
    const { id: task_id } = (await call('submit_task', task)).answer as { id: string };
    const step = { id: 'one', tool: 'label_sandbox', arguments: { targets: { $batch: 'targets' } } };
    const plan = { summary: 'One label', phases: [{ name: 'label', targets: ['sandbox-p'], steps: [step] }] };
    const { id: plan_id } = (await call('submit_plan', { task_id, plan })).answer as { id: string };
    const id = await waiting('request_approval', { plan_id, start: 'manual' });
    await world.answered(id, 'approve');
    expect(await outcomeOf(id)).toMatchObject({ id, state: 'approved' });
  });

  it('has the same task if it asks the same again', async () => {
    const same = world.another();
    const first = await posted(
      'tools/call',
      { name: 'submit_tool_call', arguments: same },
      { capabilities: declaring },
    );
    const again = await posted(
      'tools/call',
      { name: 'submit_tool_call', arguments: same },
      { capabilities: declaring },
    );
    expect(first.result).toMatchObject({ resultType: 'task', status: 'working' });
    expect(again.result).toEqual(first.result);
    expect(Object.keys(first.result ?? {}).toSorted()).toEqual([
      '_meta',
      'createdAt',
      'lastUpdatedAt',
      'pollIntervalMs',
      'resultType',
      'status',
      'statusMessage',
      'taskId',
      'ttlMs',
    ]);
  });

  it('is read by the lines of the guide', async () => {
    const [, script = ''] = /<<'SCRIPT'\n([^]*?)^SCRIPT$/m.exec(readFileSync('docs/mcp.md', 'utf8')) ?? [];
    const taskId = await waiting('submit_tool_call', world.another());
    const child = spawn(process.execPath, ['--input-type=module', '-', taskId], {
      env: { COUNTERSIGN_TOKEN: world.bot.token },
    });
    child.stdin.end(script.replace('http://localhost:8420/t/acme/mcp', world.endpoint()));
    expect(JSON.parse(await text(child.stdout))).toMatchObject({ result: { taskId, status: 'working' } });
  });

  it('has an answer at once if no person has to be asked', async () => {
    const asked = {
      name: 'submit_tool_call',
      arguments: { tool: 'query_assets', environment: 'staging', arguments: {} },
    };
    const { result } = await posted('tools/call', asked, { capabilities: declaring });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { request_id: null } });
  });

  it('cancels a call that waits, once and for all', async () => {
    const opened = await session();
    const id = await waiting('submit_tool_call', world.another(), opened);
    await opened.task(id).cancel();
    const call = expectStatus(await world.api.http(world.bot.token).get(`/v1/tool-calls/${id}`), 200).body;
    expect(call).toMatchObject({ outcome: 'denied', decided_as: 'cancelled' });
    const { result } = await posted('tasks/get', { taskId: id }, { capabilities: declaring });
    expect(result).toMatchObject({ resultType: 'complete', status: 'cancelled' });
    await expect(outcomeOf(id)).rejects.toThrow(TaskCancelledError);
    // It is over: another cancel is acknowledged, and changes nothing.
    expect((await posted('tasks/cancel', { taskId: id }, { capabilities: declaring })).result).toMatchObject({
      resultType: 'complete',
    });
  });

  it('cancels nothing by a token that may not', async () => {
    const minted = await world.api
      .http(world.tenant.admin.token)
      .post(`/v1/agents/${world.bot.id}/tokens`, { name: 'reader', scopes: ['read'] });
    const { token } = expectStatus(minted, 201).body as { token: string };
    const taskId = await waiting('submit_tool_call', world.another());
    const refused = await posted('tasks/cancel', { taskId }, { token, capabilities: declaring });
    expect(refused.error).toMatchObject({ code: -32600, data: { code: 'credential.scope_missing' } });
    expect((await posted('tasks/get', { taskId }, { capabilities: declaring })).result).toMatchObject({
      status: 'working',
    });
  });

  it('is asked for nothing by a task, and may answer nothing', async () => {
    const taskId = await waiting('submit_tool_call', world.another());
    const update = { taskId, inputResponses: { approval: { action: 'accept' } } };
    expect((await posted('tasks/update', update, { capabilities: declaring })).result).toMatchObject({
      resultType: 'complete',
    });
    expect((await posted('tasks/get', { taskId }, { capabilities: declaring })).result).toMatchObject({
      status: 'working',
    });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('reaches its own tasks alone: %s (T19)', async (method) => {
    const taskId = await waiting('submit_tool_call', world.another());
    const other = await world.api.agent(world.tenant, world.tenant.admin);
    const elsewhere = await world.api.tenant();
    const theirs = await world.api.agent(elsewhere, elsewhere.admin);
    const asked = async (id: string, posting: object): Promise<unknown> =>
      (await posted(method, { taskId: id, inputResponses: {} }, { ...posting, capabilities: declaring })).error;
    const never = await asked(NOBODYS, {});
    expect(never).toEqual({ code: -32602, message: 'Task not found' });
    expect(await asked(taskId, { token: other.token })).toEqual(never);
    // A person may read the calls of their tenant, and their agent's task is still not theirs.
    expect(await asked(taskId, { token: world.tenant.admin.token })).toEqual(never);
    expect(await asked(taskId, { token: theirs.token, slug: elsewhere.slug })).toEqual(never);
    expect(await asked('../tasks', {})).toEqual(never);
  });

  it('has no task for a call that asked no person', async () => {
    const { call } = await world.connected();
    const input = { tool: 'query_assets', environment: 'staging', arguments: {} };
    const { id } = (await call('submit_tool_call', input)).answer as { id: string };
    expect((await posted('tasks/get', { taskId: id }, { capabilities: declaring })).error).toMatchObject({
      code: -32602,
    });
  });
});

describe('a client that does not declare it', () => {
  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('is told of the missing declaration: %s', async (method) => {
    const answer = await world.posted(method, { taskId: NOBODYS, inputResponses: {} });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: -32_021, data: { requiredCapabilities: declaring } } },
    ]);
  });

  it('is told of no task', async () => {
    const asked = { notifications: { taskIds: [NOBODYS] } };
    const answer = await world.posted('subscriptions/listen', asked);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { id: 1, error: { code: -32_021, data: { requiredCapabilities: declaring } } },
    ]);
    // Nothing is sent to a client that does declare it, and it polls.
    expect(await (await world.posted('subscriptions/listen', asked, { capabilities: declaring })).text()).toContain(
      '"notifications":{}',
    );
  });

  it('has a pending answer, as before', async () => {
    const { result } = await posted('tools/call', { name: 'submit_tool_call', arguments: world.another() });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { outcome: 'pending' } });
  });
});
