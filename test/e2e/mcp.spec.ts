import type { Client } from '@modelcontextprotocol/client';
import { MCP_TOOLS } from '../../apps/api/src/mcp/mcp-tools.js';
import { apiRoutes } from '../support/api-routes.js';
import { knownAtIssuer } from '../support/browser-session.js';
import { expectStatus } from '../support/api.js';
import { mcpMeta, MCP_VERSIONS, openMcpWorld, type Called, type McpWorld, type Opened } from '../support/mcp-world.js';
import { rolloutPlan } from '../support/stages.js';

let world: McpWorld;
let { api, url, tenant, bot, page, connected, another, answered, endpoint } = {} as McpWorld;

beforeAll(async () => {
  world = await openMcpWorld();
  ({ api, url, tenant, bot, page, connected, another, answered, endpoint } = world);
});
afterAll(() => world.close());

describe.each(MCP_VERSIONS)('an MCP client on %s', (version) => {
  it('sees the tools, each with its schemas and whether it only reads', async () => {
    const { client } = await connected(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(MCP_TOOLS.map(({ name }) => name));
    for (const tool of tools) {
      const { readsOnly } = MCP_TOOLS.find(({ name }) => name === tool.name) ?? {};
      expect(tool.annotations?.readOnlyHint).toBe(readsOnly);
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
    }
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { resources } = await client.listResources();
    const linked = tools.flatMap(({ _meta }) => (_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri ?? []);
    expect(resources.map(({ uri }) => uri)).toEqual([...new Set(linked)]);
    expect(linked).toHaveLength(3);
  });

  it.each(['approve', 'reject'] as const)('waits for people without hanging: %s', async (verdict) => {
    const { call } = await connected(version);
    const { answer } = await call('submit_tool_call', another());
    expect(answer).toMatchObject({ outcome: 'pending' });
    expect(answer).not.toHaveProperty('grant');
    expect(answer.page).toBe(`${api.config.publicUrl}/requests/${String(answer.request_id)}`);
    expect(answer.next).toContain('get_tool_call');
    const waiting = await call('get_request_status', { request_id: answer.request_id });
    expect(waiting.answer).toMatchObject({ state: 'open', page: answer.page });
    await answered(answer.request_id as string, verdict);
    const decided = await call('get_tool_call', { tool_call_id: answer.id });
    expect(decided.answer.outcome).toBe(verdict === 'approve' ? 'executing' : 'denied');
    expect(typeof decided.answer.grant).toBe(verdict === 'approve' ? 'string' : 'undefined');
  });
});

describe('a client that opens pages for its user', () => {
  const requestOf = (opened: string): string => opened.slice(`${api.config.publicUrl}/requests/`.length);

  it.each(['approve', 'reject'] as const)(
    'shows the page, and has the outcome within one call: %s',
    async (verdict) => {
      const pages: string[] = [];
      const opens = async (opened: string): Promise<Opened> => {
        pages.push(opened);
        await answered(requestOf(opened), verdict);
        return 'accept';
      };
      const { call } = await connected('2026-07-28', { opens });
      const { answer } = await call('submit_tool_call', another());
      expect(answer.outcome).toBe(verdict === 'approve' ? 'executing' : 'denied');
      expect(pages).toEqual([answer.page]);
    },
  );

  it.each(['accept', 'decline', 'cancel'] as const)(
    'is told once, and waits no longer than that: %s',
    async (action) => {
      let shown = 0;
      const { call } = await connected('2026-07-28', {
        opens: () => {
          shown += 1;
          return Promise.resolve(action);
        },
      });
      const { answer } = await call('submit_tool_call', another());
      expect([answer.outcome, shown]).toEqual(['pending', 1]);
      expect((await call('get_tool_call', { tool_call_id: answer.id })).answer.outcome).toBe('pending');
      expect(shown).toBe(1);
    },
  );

  it('is not asked on the older protocol, which cannot', async () => {
    const opens = (): Promise<Opened> => Promise.reject(new Error('nothing is to be opened'));
    const { call } = await connected('2025-11-25', { opens });
    expect((await call('submit_tool_call', another())).answer.outcome).toBe('pending');
  });

  it('reads its own calls alone, also if it claims to wait for another', async () => {
    const { client } = await connected();
    const other = await api.tenant();
    const theirs = await api.agent(other, other.admin);
    const answer = await fetch(`${url}/t/${other.slug}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${theirs.token}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'submit_tool_call',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          _meta: mcpMeta(),
          name: 'submit_tool_call',
          arguments: another(),
          requestState: await waiting(client),
        },
      }),
    });
    const { result } = (await answer.json()) as { result: { isError: boolean; content: { text: string }[] } };
    expect([result.isError, JSON.parse(result.content[0]?.text ?? '')]).toMatchObject([
      true,
      { code: 'resource.not_found' },
    ]);
  });

  async function waiting(client: Client): Promise<string> {
    const { structuredContent } = await client.callTool({ name: 'submit_tool_call', arguments: { ...another() } });
    return (structuredContent as { id: string }).id;
  }
});

describe('the tools of the MCP endpoint', () => {
  it('find the call that waits, if the same is asked again', async () => {
    const { call } = await connected();
    const same = another();
    const first = await call('submit_tool_call', same);
    const second = await call('submit_tool_call', same);
    expect(second).toEqual(first);
    const other = await call('submit_tool_call', another());
    expect(other.answer.request_id).not.toBe(first.answer.request_id);
  });

  it('repeat nothing under the same request_key', async () => {
    const { call } = await connected();
    const goal = { goal: 'To tidy up', task_type: 'tidying', environment: 'staging' };
    const first = await call('submit_task', { ...goal, request_key: 'task-1' });
    const again = await call('submit_task', { ...goal, request_key: 'task-1' });
    expect([again.isError, again.answer.id]).toEqual([false, first.answer.id]);
    expect((await call('submit_task', goal)).answer.id).not.toBe(first.answer.id);
    const other = await call('submit_task', { ...goal, goal: 'To tidy more', request_key: 'task-1' });
    expect([other.isError, other.answer.code]).toEqual([true, 'idempotency.key_reused']);
    const asked = { ...another(), request_key: 'call-1' };
    const made = await call('submit_tool_call', asked);
    await answered(made.answer.request_id as string, 'reject');
    // Without the key it would ask people anew.
    expect((await call('submit_tool_call', asked)).answer).toMatchObject({ id: made.answer.id, outcome: 'denied' });
  });

  it('lead from a task to a request', async () => {
    const { call } = await connected();
    const task = await call('submit_task', { goal: 'To tidy up', task_type: 'tidying', environment: 'staging' });
    const { id: task_id } = task.answer as { id: string };
    expect((await call('get_task', { task_id })).answer).toMatchObject({ id: task_id, state: 'created' });
    const plan = {
      summary: 'One label',
      phases: [
        {
          name: 'label',
          targets: ['sandbox-1'],
          steps: [{ id: 'one', tool: 'label_sandbox', arguments: { targets: { $batch: 'targets' } } }],
        },
      ],
    };
    const submitted = await call('submit_plan', { task_id, plan });
    expect(submitted).toMatchObject({ isError: false, answer: { task_id, revision: 1 } });
    const { id: plan_id } = submitted.answer as { id: string };
    const asked = await call('request_approval', { plan_id, start: 'manual' });
    expect(asked).toMatchObject({ isError: false, answer: { state: 'open' } });
    expect((await call('request_approval', { plan_id, start: 'manual' })).answer.id).toBe(asked.answer.id);
    expect((await call('get_plan', { plan_id })).answer.status).toBe('awaiting_approval');
  });

  it('tell risks, and the decision that policy would make', async () => {
    const { call } = await connected();
    const { tools } = (await call('list_tools', {})).answer as { tools: { name: string; risk: string }[] };
    expect(tools.map(({ name, risk }) => [name, risk])).toEqual([
      ['label_sandbox', 'state_change_nonprod'],
      ['query_assets', 'read_only'],
    ]);
    const { answer } = await call('explain_policy', { tool: 'label_sandbox', environment: 'staging' });
    expect(answer.cells).toHaveLength(1);
    expect(answer.cells[0]).toMatchObject({ tool: 'label_sandbox', environment: 'staging' });
    expect(answer.cells[0].decision.outcome).toBe('require_approval');
  });

  it('tell which tools automations may call', async () => {
    const { call } = await connected();
    const { answer } = await call('list_automation_safe_tools', { environment: 'staging' });
    // Only an agent would make their calls, and an automation has none beside it.
    const items = answer.items as { tool: string; tier: string; safe: boolean }[];
    expect(items.map(({ tool, tier, safe }) => [tool, tier, safe])).toEqual([
      ['label_sandbox', 'modify', false],
      ['query_assets', 'read', false],
    ]);
  });

  it('tell what was done before, and say how they searched', async () => {
    const { call } = await connected();
    const { answer } = await call('find_precedents', { text: 'sandbox', tools: 'label_sandbox' });
    expect(answer).toMatchObject({
      // Without an environment and arguments the question names no whole shape.
      line: null,
      searched_by: 'words and structure',
    });
  });

  it('refuse with the code of the API and the next action', async () => {
    const { call } = await connected();
    const missing = await call('get_task', { task_id: '0199c0de-0000-7000-8000-000000000001' });
    expect(missing).toMatchObject({ isError: true, answer: { code: 'resource.not_found' } });
    const plan = await call('submit_plan', { task_id: '0199c0de-0000-7000-8000-000000000001', plan: rolloutPlan() });
    expect(plan).toMatchObject({ isError: true, answer: { code: 'resource.not_found' } });
    const wrong = await call('get_task', { taskid: 7, task_id: 'T' });
    expect(wrong).toMatchObject({
      isError: true,
      answer: {
        code: 'request.invalid',
        errors: [
          { pointer: '/task_id', message: 'must be a UUID in lower case' },
          { pointer: '/taskid', message: 'is not known here', suggestion: 'task_id' },
        ],
      },
    });
  });

  it('take the scopes of the token: one that only reads asks for no call', async () => {
    const minted = await api
      .http(tenant.admin.token)
      .post(`/v1/agents/${bot.id}/tokens`, { name: 'reader', scopes: ['read'] });
    const { call } = await connected('2026-07-28', { token: expectStatus(minted, 201).body.token as string });
    const refused = await call('submit_tool_call', another());
    const answer = { code: 'credential.scope_missing', details: { required_scope: 'run' } };
    expect(refused).toMatchObject({ isError: true, answer });
  });

  it('ask no route that decides: each route is one that agents have, and none reviews (T55)', async () => {
    const routes = new Map((await apiRoutes(api)).map((route) => [`${route.method} ${route.path}`, route.operation]));
    const asked = MCP_TOOLS.flatMap((tool) =>
      [...tool.routes, ...(tool.waits?.routes ?? [])].map((route) => ({ tool, route })),
    );
    expect(asked.length).toBeGreaterThan(MCP_TOOLS.length - 1);
    for (const { tool, route } of asked) {
      const operation = routes.get(route);
      expect([route, operation?.['x-required-scope']]).toEqual([route, expect.stringMatching(/^(read|submit|run)$/)]);
      expect([route, operation?.['x-person-only']]).toEqual([route, undefined]);
      expect(route).not.toMatch(/review|confirm|trust|vouch|resolve|proof|break-glass|\/result/);
      if (tool.readsOnly) expect(route).toMatch(/^GET /);
    }
  });
});

describe('the MCP endpoint', () => {
  const hello = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const sent = (slug: string, headers: Record<string, string>): ReturnType<typeof fetch> =>
    fetch(endpoint(slug), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(hello),
    });

  it('is of one tenant: another and one that never existed are not found, with the same bytes (T19)', async () => {
    const other = await api.tenant();
    const headers = { authorization: `Bearer ${bot.token}`, 'x-request-id': 'the-same-for-both' };
    const [theirs, never] = [await sent(other.slug, headers), await sent('nobody-has-it', headers)];
    expect([theirs.status, never.status]).toEqual([404, 404]);
    expect(await theirs.text()).toBe(await never.text());
    expect((await sent(tenant.slug, headers)).status).toBe(200);
  });

  it('keeps no turn while its routes wait for theirs', async () => {
    const { call } = await connected();
    const read = (): Promise<Called> => call('explain_policy', { tool: 'query_assets', environment: 'staging' });
    const answers = await Promise.all(Array.from({ length: 40 }, read));
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
  });

  it('keeps no stream open for its list of tools, which never changes', async () => {
    const { client } = await connected();
    expect(client.getServerCapabilities()?.tools?.listChanged).not.toBe(true);
    const answer = await world.posted('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const frames = [...(await answer.text()).matchAll(/^data: (.+)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as unknown,
    );
    expect(frames).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
  });

  it('tells a stranger where tokens come from', async () => {
    const metadata = `${api.config.publicUrl}/.well-known/oauth-protected-resource/t/${tenant.slug}/mcp`;
    const [none, bad] = [await sent(tenant.slug, {}), await sent(tenant.slug, { authorization: 'Bearer cs_bad' })];
    expect([none.status, bad.status]).toEqual([401, 401]);
    expect(none.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    expect(bad.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}", error="invalid_token"`);
  });

  it('takes one message a request', async () => {
    const answer = await fetch(endpoint(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${bot.token}`,
      },
      body: JSON.stringify([hello, hello]),
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'mcp.batch_refused' }]);
  });

  it('takes no cookie, and nothing from a page of another origin', async () => {
    const byCookie = await sent(tenant.slug, { ...page });
    expect(byCookie.status).toBe(401);
    const fromPage = await sent(tenant.slug, { authorization: `Bearer ${bot.token}`, origin: 'https://evil.example' });
    expect([fromPage.status, await fromPage.json()]).toMatchObject([403, { code: 'request.foreign_origin' }]);
  });

  it.each(['2025-06-18', '2025-11-25'])('greets clients of %s in their own version', async (protocolVersion) => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const answer = await fetch(endpoint(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${bot.token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(await answer.text()).toContain(`"protocolVersion":"${protocolVersion}"`);
  });

  it('has no stream and no session of its own', async () => {
    const headers = { authorization: `Bearer ${bot.token}`, accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) expect((await fetch(endpoint(), { method, headers })).status).toBe(405);
  });

  it('names issuers that give tokens for it, and lists none without one', async () => {
    const metadataOf = async (slug: string) =>
      (await fetch(`${url}/.well-known/oauth-protected-resource/t/${slug}/mcp`)).json();
    const resource = `${api.config.publicUrl}/t/${tenant.slug}/mcp`;
    expect(await metadataOf(tenant.slug)).toEqual({
      resource,
      resource_name: 'Countersign',
      bearer_methods_supported: ['header'],
    });
    // An issuer for browsers alone gives no tokens.
    const other = await api.tenant();
    await knownAtIssuer(api, other, other.admin);
    expect(await metadataOf(other.slug)).not.toHaveProperty('authorization_servers');
    await knownAtIssuer(api, tenant, tenant.admin, ['read', 'run']);
    expect(await metadataOf(tenant.slug)).toMatchObject({
      authorization_servers: [`https://${tenant.slug}.example.com`],
    });
    expect(await metadataOf('nobody-has-it')).not.toHaveProperty('authorization_servers');
  });
});
