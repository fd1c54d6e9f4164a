import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { createWaysOut, EXECUTOR_KINDS, type ToolDispatcher } from '#lib/dispatch';
import { digestOf, newId, type TenantId } from '#lib/kernel';
import { readMcpDefinition, type McpDefinition } from '#lib/mcp-client';
import { sampleOrder } from '../../libs/registry/dispatch/src/application/fake-grant.js';
import { FakeRunnerCalls } from '../../libs/registry/dispatch/src/application/fake-runner-calls.js';

import { mcpUpstream, RESTART, type McpUpstream } from '../support/mcp-upstream.js';
import { serverPort } from '../support/server-port.js';

jest.setTimeout(60_000);

const PROGRAM = join(packageRoot(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const tenantId = newId<TenantId>();

const waysTo = (url: string) =>
  createWaysOut({
    executorKinds: EXECUTOR_KINDS,
    allowedPrivateHosts: [new URL(url).host],
    slugOf: () => Promise.resolve('acme'),
    issueGrant: { execute: () => Promise.resolve('a.signed.grant') },
    secrets: { resolveAll: () => Promise.resolve(new Map<string, string>()) },
    runnerCalls: new FakeRunnerCalls(),
  });

/** The reference server of the protocol's maintainers, which speaks 2025-11-25. */
describe('T54: a server of the older protocol', () => {
  let server: ChildProcess;
  let url: string;
  let tools: readonly McpDefinition[];
  let dispatcher: ToolDispatcher;

  beforeAll(async () => {
    const port = await serverPort();
    url = `http://127.0.0.1:${String(port)}/mcp`;
    const env = { ...process.env, PORT: String(port) };
    server = spawn(process.execPath, [PROGRAM, 'streamableHttp'], { env, stdio: 'ignore' });
    const ways = waysTo(url);
    dispatcher = ways.dispatcher;
    const deadline = performance.now() + 30_000;
    for (;;) {
      const answer = await ways.mcpServers.read(tenantId, {
        environment: 'staging',
        name: 'every',
        url,
        secret: null,
        onRunner: null,
      });
      if (answer.ok) {
        ({ tools } = answer);
        return;
      }
      if (performance.now() > deadline) throw new Error(answer.problem);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  afterAll(() => {
    server.kill();
  });

  const call = (tool: string, given: Record<string, string | number>, digest = digestOfTool(tool)) => {
    const sample = sampleOrder({ tenantId });
    return dispatcher.dispatch({
      ...sample,
      tool: { name: `mcp:every:${tool}`, version: 1, timeLimitSeconds: 5, idempotent: false, mcp: { tool, digest } },
      executor: { ...sample.executor, name: 'every', kind: 'mcp', url },
      arguments: given,
      argumentsDigest: digestOf('arguments', given),
    });
  };
  const digestOfTool = (name: string): string => tools.find(({ tool }) => tool === name)?.digest ?? '';

  it('lists its tools with their digests', () => {
    expect(tools.map(({ tool }) => tool)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(tools.filter(({ digest }) => digest === null)).toEqual([]);
  });

  it('answers a call of an accepted definition, and of no other one', async () => {
    expect(await call('echo', { message: 'hello' })).toEqual({
      kind: 'succeeded',
      result: { content: [{ type: 'text', text: 'Echo: hello' }] },
    });
    expect(await call('echo', { message: 'hello' }, digestOfTool('get-sum'))).toMatchObject({
      effect: 'not_started',
      error: { code: 'mcp.definition_changed' },
    });
  });

  it('offers no tool that asks its client for a prompt or an answer', () => {
    const asking = tools.map(({ tool }) => tool).filter((tool) => /sampling|elicitation|roots/.test(tool));
    expect(asking).toEqual([]);
  });

  it('says in words that a call failed', async () => {
    expect(await call('echo', {})).toMatchObject({ kind: 'failed', error: { message: expect.any(String) as string } });
  });
});

describe('T54: a hostile server over HTTP', () => {
  let upstream: McpUpstream;
  beforeEach(async () => {
    upstream = await mcpUpstream();
  });
  afterEach(() => upstream.close());

  const call = () => {
    const given = { host: 'web-01' };
    const sample = sampleOrder({ tenantId });
    const mcp = { tool: 'restart_service', digest: readMcpDefinition(RESTART).digest ?? '' };
    return waysTo(upstream.url).dispatcher.dispatch({
      ...sample,
      tool: { name: 'mcp:ops:restart_service', version: 1, timeLimitSeconds: 5, idempotent: false, mcp },
      executor: { ...sample.executor, name: 'ops', kind: 'mcp', url: upstream.url },
      arguments: given,
      argumentsDigest: digestOf('arguments', given),
    });
  };

  it('T54: has no result that is longer than Countersign reads, and the effect is unknown', async () => {
    upstream.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(4_000_000) }] });
    expect(await call()).toMatchObject({ kind: 'unknown', error: { code: 'dispatch.bad_answer' } });
    expect(upstream.calls).toHaveLength(1);
  });

  it.each(['server/discover', 'tools/list', 'tools/call'])(
    'T54: sends Countersign nowhere else by a redirect of %s',
    async (at) => {
      const elsewhere = await mcpUpstream();
      upstream.instead = (method, response) => {
        if (method !== at) return false;
        response.writeHead(307, { location: elsewhere.url }).end();
        return true;
      };
      const end = await call();
      expect(elsewhere.methods).toEqual([]);
      expect(upstream.methods).toContain(at);
      expect(end).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.refused' } });
      await elsewhere.close();
    },
  );
});
