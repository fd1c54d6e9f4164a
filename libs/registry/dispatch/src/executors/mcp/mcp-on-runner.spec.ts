import { digestOf, newId, type TenantId } from '#lib/kernel';
import { readMcpDefinition } from '#lib/mcp-client';
import { TenantAgents } from '../../adapters/tenant-agents.js';
import { sampleOrder } from '../../application/fake-grant.js';
import { FakeRunnerCalls } from '../../application/fake-runner-calls.js';
import type { DispatchOrder, GrantOrder } from '../../application/tool-dispatcher.port.js';
import { ExecutorDispatcher } from '../executor-dispatcher.js';
import { mcpKind } from './mcp-kind.js';
import { McpServerReader } from './mcp-server-reader.js';

const tenantId = newId<TenantId>();
const read = readMcpDefinition({ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } });
const other = readMcpDefinition({ name: 'read', description: 'Reads, and sends.', inputSchema: { type: 'object' } });
const filesOnBuilders = { pool: 'builders', server: 'files' };
const ONE = [{ problem: null, tools: [read] }];

let calls: FakeRunnerCalls;
let granted: GrantOrder[];
beforeEach(() => {
  calls = new FakeRunnerCalls();
  calls.mcpServers.set('files', ONE);
  granted = [];
});

const secrets = { resolveAll: () => Promise.resolve(new Map<string, string>()) };
const agents = new TenantAgents([], () => Promise.resolve('acme'));

function dispatch(issued: string | null = 'a.signed.grant') {
  const issueGrant = {
    execute: (order: GrantOrder) => {
      granted.push(order);
      return Promise.resolve(issued);
    },
  };
  const sample = sampleOrder({ tenantId });
  const order: DispatchOrder = {
    ...sample,
    tool: {
      ...{ name: 'mcp:shared:read', version: 1, timeLimitSeconds: 3, idempotent: false },
      mcp: { tool: 'read', digest: read.digest ?? '' },
    },
    executor: { ...sample.executor, name: 'shared', kind: 'mcp', url: null, settings: filesOnBuilders },
    arguments: {},
    argumentsDigest: digestOf('arguments', {}),
  };
  return new ExecutorDispatcher([mcpKind], { issueGrant, secrets, agents, runnerCalls: calls }).dispatch(order);
}
const looked = () =>
  new McpServerReader(secrets, agents, calls).read(tenantId, {
    ...{ environment: 'staging', name: 'shared', url: null, secret: null },
    onRunner: filesOnBuilders,
  });

describe('a call', () => {
  it('goes to the pool, with a grant for the accepted definition of the server there', async () => {
    expect(await dispatch()).toEqual({ kind: 'succeeded', result: {} });
    expect(granted).toMatchObject([{ onRunner: { server: 'files', tool: 'read', digest: read.digest } }]);
    expect(calls.calls).toMatchObject([{ pool: 'builders', executor: 'shared', grant: 'a.signed.grant' }]);
  });

  it('waits for a runner while the pool is offline', async () => {
    calls.pool = 'offline';
    calls.mcpServers.clear();
    calls.end = { kind: 'not_taken' };
    expect(await dispatch()).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.not_taken' } });
    expect(calls.calls).toHaveLength(1);
  });

  it.each(['none', 'elsewhere'] as const)('does not start while the pool is %s', async (pool) => {
    calls.pool = pool;
    expect(await dispatch()).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.unreachable' } });
    expect(granted).toEqual([]);
  });

  it('does not start if no runner lists the server', async () => {
    calls.mcpServers.clear();
    expect(await dispatch()).toMatchObject({
      effect: 'not_started',
      error: { code: 'dispatch.unreachable', message: expect.stringContaining('MCP server files') as string },
    });
  });

  it('is not offered if a halt came before it', async () => {
    expect(await dispatch(null)).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.overtaken' } });
    expect(calls.calls).toEqual([]);
  });

  it('is unknown if its runner is lost, and not offered again', async () => {
    calls.end = { kind: 'lost', runner: { name: 'build-01', revoked: false } };
    expect(await dispatch()).toMatchObject({ kind: 'unknown', error: { code: 'dispatch.runner_lost' } });
    expect(calls.calls).toHaveLength(1);
  });
});

describe('a look', () => {
  it('has the definitions that a runner advertised', async () => {
    expect(await looked()).toEqual({ ok: true, tools: [read] });
    calls.mcpServers.set('files', [...ONE, ...ONE]);
    expect(await looked()).toEqual({ ok: true, tools: [read] });
  });

  it.each([
    ['in two ways', [{ problem: null, tools: [other] }]],
    ['twice', [{ problem: null, tools: [read, read] }]],
    ['on one runner alone', [{ problem: null, tools: [] }]],
  ])('T54: has no definition of a tool that runners define %s', async (_how, more) => {
    for (const onRunners of [
      [...ONE, ...more],
      [...more, ...ONE],
    ]) {
      calls.mcpServers.set('files', onRunners);
      const found = await looked();
      expect(found.ok && found.tools.map(({ digest }) => digest)).not.toContain(read.digest);
    }
  });

  it.each<[string, () => unknown, string]>([
    ['is offline', () => (calls.pool = 'offline'), 'No runner of the pool builders for staging is online'],
    ['lists no such server', () => calls.mcpServers.set('files', []), 'lists the MCP server files'],
    [
      'cannot read its tools',
      () => calls.mcpServers.set('files', [{ problem: 'It ended.', tools: [] }]),
      'cannot read its tools: It ended.',
    ],
  ])('says that the runner %s', async (_what, change, words) => {
    change();
    expect(await looked()).toMatchObject({ ok: false, problem: expect.stringContaining(words) as string });
  });
});

describe('its executor', () => {
  const put = (document: object) => mcpKind.read({ settings: {}, ...document }, () => 'allowed');

  it('has a pool and a server in place of an address', () => {
    expect(put({ settings: filesOnBuilders })).toEqual({ ok: true, value: { url: null, secret: null } });
    expect(mcpKind.destination({ url: null, secret: null, settings: filesOnBuilders })).toBe(
      'the MCP server files on runners of the pool builders',
    );
  });

  it.each([
    ['executor.setting_required', '/server', { settings: { pool: 'builders' } }],
    ['executor.setting_required', '/pool', { settings: { server: 'files' } }],
    ['executor.not_for_a_runner', '/url', { settings: filesOnBuilders, url: 'https://mcp.example.com/mcp' }],
    ['executor.not_for_a_runner', '/secret', { settings: filesOnBuilders, secret: 'token@1' }],
    ['executor.url_required', '/url', {}],
  ])('is refused as %s at %s', (code, pointer, document) => {
    expect(put(document)).toMatchObject({ ok: false, error: [{ code, pointer }] });
  });
});
