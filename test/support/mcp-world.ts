import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from '@modelcontextprotocol/client';
import type { PersonId } from '#lib/kernel';
import { assignByHand, expectStatus, operatorToken, testApi, type TestApi, type TestTenant } from './api.js';
import { cameIn, pageOf } from './passkey-accounts.js';

const CATALOG = `tools:
  query_assets:
    risk: read_only
    idempotent: true
    scope: asset
    description: Lists assets
    effect: read
    executor: hands
    parameters: { type: object, additionalProperties: false, properties: {} }
  label_sandbox:
    risk: state_change_nonprod
    idempotent: true
    scope: asset
    description: Labels a sandbox
    requires_plan: false
    effect: modify
    simulation: not_applicable
    identity_fields: [/targets]
    executor: hands
    parameters:
      type: object
      additionalProperties: false
      required: [targets]
      properties:
        targets: { type: array, items: { type: string, maxLength: 100 }, minItems: 1, maxItems: 10 }
`;
const AUTONOMY = `autonomy:
  mode: plan_only
  calls_per_turn: 64
  environments:
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
`;

/** The protocols that clients speak, oldest first. */
export const MCP_VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type McpVersion = (typeof MCP_VERSIONS)[number];

export const MCP_CLIENT = { name: 'test', version: '1' };

/** The envelope of a request of 2026-07-28. */
export const mcpMeta = (capabilities: object = {}): Record<string, unknown> => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': MCP_CLIENT,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

export interface Called {
  readonly isError: boolean;
  /** The structured answer, or the refusal. */
  // A test states the shape it expects at each call.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly answer: any;
}

export type Opened = 'accept' | 'decline' | 'cancel';

export interface Connected {
  readonly client: Client;
  call(name: string, input: object): Promise<Called>;
}

interface Connecting {
  readonly token?: string;
  /** The user's answer to a page that the client shows. */
  readonly opens?: (page: string) => Promise<Opened>;
  readonly capabilities?: ClientCapabilities;
}

/** A tenant with two tools, an agent, and the person who answers requests in a browser. */
export interface McpWorld {
  readonly api: TestApi;
  readonly url: string;
  readonly tenant: TestTenant;
  readonly bot: { readonly id: string; readonly token: string };
  /** The headers of the person's pages. */
  readonly page: Record<string, string>;
  endpoint(slug?: string): string;
  connected(version?: McpVersion, connecting?: Connecting): Promise<Connected>;
  /** Posts one message of 2026-07-28 by hand. */
  posted(method: string, params: object, posting?: Posting): Promise<Response>;
  /** A call that was not asked for before. It waits for a person. */
  another(): { tool: string; environment: string; arguments: { targets: string[] } };
  /** The person's answer in the browser. */
  answered(requestId: string, verdict: 'approve' | 'reject'): Promise<void>;
  close(): Promise<void>;
}

interface Posting {
  readonly token?: string;
  readonly slug?: string;
  readonly capabilities?: object;
}

/** The header that names the thing a method is about. */
const nameOf = (params: object): string | undefined => {
  const { name, taskId, uri } = params as { name?: string; taskId?: string; uri?: string };
  return name ?? taskId ?? uri;
};

/** Opens the world of a test file about MCP clients. */
export async function openMcpWorld(): Promise<McpWorld> {
  const api = await testApi();
  await api.app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${String((api.app.getHttpServer().address() as AddressInfo).port)}`;
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', CATALOG), 200);
  expectStatus(await admin.put('/v1/environments/staging/executors/hands', { kind: 'agent' }), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const page = await pageOf(api, (await cameIn(api, await operatorToken(api, tenant.id, id))).cookie);
  const bot = await api.agent(tenant, tenant.admin);
  const open: Client[] = [];
  let sandboxes = 0;
  const endpoint = (slug = tenant.slug): string => `${url}/t/${slug}/mcp`;

  return {
    ...{ api, url, tenant, bot, page, endpoint },
    connected: async (version = '2026-07-28', { token = bot.token, opens, capabilities = {} } = {}) => {
      const client = new Client(MCP_CLIENT, {
        ...(version === '2026-07-28'
          ? { versionNegotiation: { mode: { pin: version } } }
          : { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [version] }),
        capabilities: { ...capabilities, ...(opens === undefined ? {} : { elicitation: { url: {} } }) },
      });
      if (opens !== undefined) {
        client.setRequestHandler('elicitation/create', async ({ params }) => ({
          action: await opens('url' in params ? params.url : ''),
        }));
      }
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(endpoint()), { requestInit }));
      open.push(client);
      return {
        client,
        call: async (name, input) => {
          const result = await client.callTool({ name, arguments: { ...input } });
          const [content] = result.content as { text: string }[];
          const answer = result.structuredContent ?? (JSON.parse(content?.text ?? 'null') as unknown);
          return { isError: result.isError === true, answer };
        },
      };
    },
    posted: (method, params, { token = bot.token, slug, capabilities } = {}) => {
      const name = nameOf(params);
      return fetch(endpoint(slug), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(name === undefined ? {} : { 'mcp-name': name }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: mcpMeta(capabilities), ...params } }),
      });
    },
    another: () => ({
      tool: 'label_sandbox',
      environment: 'staging',
      arguments: { targets: [`sandbox-${String((sandboxes += 1))}`] },
    }),
    answered: async (requestId, verdict) => {
      const path = `/v1/approval-requests/${requestId}`;
      const { subject } = expectStatus(await api.http().get(path, page), 200).body as { subject: { digest: string } };
      expectStatus(await api.http().post(`${path}/reviews`, { verdict, subject_digest: subject.digest }, page), 201);
    },
    close: async () => {
      for (const client of open) await client.close();
      await api.close();
    },
  };
}
