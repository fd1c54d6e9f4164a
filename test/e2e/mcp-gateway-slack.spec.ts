import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ToolCallId } from '#lib/kernel';
import { expectStatus } from '../support/api.js';
import { CHANNELS } from '../support/local-slack.js';
import { mcpUpstream, type McpUpstream } from '../support/mcp-upstream.js';
import { slackWorld, textOf, type SlackWorld } from '../support/slack-world.js';

jest.setTimeout(120_000);

const AUTONOMY = `autonomy:
  mode: plan_only
  calls_per_turn: 64
  environments:
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
`;
const RISK = {
  risk: 'state_change_nonprod',
  idempotent: true,
  scope: 'asset',
  effect: 'modify',
  requires_plan: false,
  simulation: 'not_applicable',
  identity_fields: ['/host'],
};

let world: SlackWorld;
let upstream: McpUpstream;
let client: Client;

beforeAll(async () => {
  upstream = await mcpUpstream();
  world = await slackWorld(
    { allowedPrivateHosts: ['127.0.0.1'] },
    { autonomy: AUTONOMY, channels: { '': CHANNELS.others } },
  );
  const { api, admin, tenant, bot } = world;
  expectStatus(await admin.put('/v1/environments/staging/executors/ops', { kind: 'mcp', url: upstream.url }), 200);
  const path = '/v1/mcp-servers/staging/ops';
  const { tools } = expectStatus(await admin.post(`${path}/look`), 200).body as { tools: { digest: string }[] };
  const accepted = { ...RISK, digest: tools[0]?.digest };
  expectStatus(await admin.post(`${path}/tools/restart_service/accept`, accepted), 200);
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const endpoint = new URL(`${(await api.app.getUrl()).replace('[::1]', '127.0.0.1')}/t/${tenant.slug}/mcp`);
  await client.connect(
    new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: { authorization: `Bearer ${bot.token}` } } }),
  );
});
afterAll(async () => {
  await client.close();
  await world.close();
  await upstream.close();
});

const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await client.callTool({ name, arguments: input })).structuredContent as Record<string, unknown>;

it('has an upstream tool wait for a person in Slack, and calls it once after the answer', async () => {
  const wanted = { tool: 'mcp:ops:restart_service', environment: 'staging', arguments: { host: 'web-01' } };
  const asked = await call('submit_tool_call', wanted);
  expect(asked).toMatchObject({ outcome: 'pending' });
  await world.settle();
  const message = world.message({ id: String(asked.request_id) }, CHANNELS.others);
  expect(textOf(message.blocks)).toContain('mcp:ops:restart_service');
  expect(upstream.calls).toEqual([]);

  await world.slack.press(message, 'countersign.approve', 'UADA');
  await world.settle();
  const { toolCall } = world.api.installation;
  await toolCall.executeToolCall.execute(world.tenant.id, asked.id as ToolCallId);

  const ended = await call('get_tool_call', { tool_call_id: asked.id });
  expect(ended).toMatchObject({
    outcome: 'succeeded',
    execution: { result: { content: [{ type: 'text', text: 'restarted' }] } },
  });
  expect(upstream.calls).toMatchObject([{ name: 'restart_service', given: { host: 'web-01' } }]);
  const { rows } = await world.api.db.owner.query<{ action: string }>(
    "select action from audit_entry where tenant_id = $1 and action like 'tool_call.%' order by occurred_at, id",
    [world.tenant.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['tool_call.dispatched', 'tool_call.succeeded']),
  );
});
