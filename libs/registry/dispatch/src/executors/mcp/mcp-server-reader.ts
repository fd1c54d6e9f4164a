import type { TenantId } from '#lib/kernel';
import type { SecretResolver } from '../../application/secret-resolver.port.js';
import type { OutboundAgents } from '../../adapters/tenant-agents.js';
import { canonicalJson } from '#lib/canonical';
import type { McpDefinition } from '#lib/mcp-client';
import { McpConnection } from './mcp-connection.js';
import { outcomeOfMcpError } from './mcp-outcome.js';

/** A look lasts at most so long. */
const LOOK_SECONDS = 10;

/** A server to look at: an executor of kind mcp, in one environment. */
export interface McpServerPlace {
  readonly environment: string;
  readonly name: string;
  readonly url: string | null;
  readonly secret: string | null;
}

/** Reads the definitions that an MCP server lists, or says in words why it cannot. It calls no tool. */
export class McpServerReader {
  constructor(
    private readonly secrets: SecretResolver,
    private readonly agents: OutboundAgents,
  ) {}

  async read(
    tenantId: TenantId,
    { environment, name, url, secret }: McpServerPlace,
  ): Promise<
    { readonly ok: true; readonly tools: readonly McpDefinition[] } | { readonly ok: false; readonly problem: string }
  > {
    if (url === null) return { ok: false, problem: 'It has no address.' };
    let token: string | undefined;
    try {
      const use = { purpose: 'executor_token', environment, executor: name } as const;
      if (secret !== null) {
        token = (await this.secrets.resolveAll(tenantId, [{ reference: secret, use }])).get(secret);
      }
    } catch {
      return { ok: false, problem: `The secret ${secret ?? ''} cannot be read, or is not for this server.` };
    }
    const agent = await this.agents.agentFor(tenantId);
    const connection = new McpConnection({ url, token, agent }, LOOK_SECONDS * 1_000);
    try {
      return { ok: true, tools: (await connection.tools()).map((each) => withoutToken(each, token)) };
    } catch (error) {
      const end = outcomeOfMcpError(connection.broken ?? error, { server: name, seconds: LOOK_SECONDS, sent: false });
      return { ok: false, problem: end.kind === 'succeeded' ? '' : end.error.message };
    } finally {
      await connection.close();
    }
  }
}

/** A definition that repeats the token of its server is not kept (T32). */
function withoutToken(found: McpDefinition, token: string | undefined): McpDefinition {
  if (token === undefined || found.definition === null || !canonicalJson(found.definition).includes(token))
    return found;
  return {
    tool: found.tool,
    digest: null,
    definition: null,
    problem: 'It repeats the secret that the server is called with.',
  };
}
