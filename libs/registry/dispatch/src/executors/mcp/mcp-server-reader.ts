import type { TenantId } from '#lib/kernel';
import type { SecretResolver } from '../../application/secret-resolver.port.js';
import type { OutboundAgents } from '../../adapters/tenant-agents.js';
import { canonicalJson } from '#lib/canonical';
import type { McpDefinition } from '#lib/mcp-client';
import type { RunnerCalls } from '../../application/runner-calls.port.js';
import { poolUnreachable } from '../runner/pool-unreachable.js';
import { McpConnection } from './mcp-connection.js';
import { outcomeOfMcpError } from './mcp-outcome.js';
import type { ServerOnRunner } from './server-on-runner.js';
import { notListed } from './mcp-runner-dispatcher.js';

/** A look lasts at most so long. */
const LOOK_SECONDS = 10;

/** A server to look at: an executor of kind mcp, in one environment. */
interface McpServerRef {
  readonly environment: string;
  readonly name: string;
  readonly url: string | null;
  readonly secret: string | null;
  /** Its place on runners; null for a server that has an address. */
  readonly onRunner: ServerOnRunner | null;
}

type Answer =
  | { readonly ok: true; readonly tools: readonly McpDefinition[] }
  | { readonly ok: false; readonly problem: string };

/** Reads the definitions that an MCP server lists, or says in words why it cannot. It calls no tool. */
export class McpServerReader {
  constructor(
    private readonly secrets: SecretResolver,
    private readonly agents: OutboundAgents,
    private readonly runnerCalls: Pick<RunnerCalls, 'mcpServer'>,
  ) {}

  async read(tenantId: TenantId, { environment, name, url, secret, onRunner }: McpServerRef): Promise<Answer> {
    if (onRunner !== null) return this.#ofRunners(tenantId, environment, onRunner);
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
      // A server may repeat its own token in an error.
      const hide = (said: string): string => (token === undefined ? said : said.replaceAll(token, '[secret]'));
      const ended = { server: name, seconds: LOOK_SECONDS, sent: false, hide };
      const end = outcomeOfMcpError(connection.broken ?? error, ended);
      return { ok: false, problem: end.kind === 'succeeded' ? '' : end.error.message };
    } finally {
      await connection.close();
    }
  }

  /** The definitions that the runners of its pool advertised last. */
  async #ofRunners(tenantId: TenantId, environment: string, { pool, server }: ServerOnRunner): Promise<Answer> {
    const { reach, onRunners } = await this.runnerCalls.mcpServer(tenantId, pool, environment, server);
    if (reach !== 'online') return { ok: false, problem: poolUnreachable(reach, pool, environment) };
    if (onRunners.length === 0) return { ok: false, problem: notListed(pool, server) };
    const [ill] = onRunners.flatMap(({ problem }) => problem ?? []);
    return ill === undefined
      ? { ok: true, tools: listedBy(onRunners.map(({ tools }) => tools)) }
      : { ok: false, problem: `A runner of the pool ${pool} cannot read its tools: ${ill}` };
  }
}

/** A tool that two runners define in two ways has no definition, since either may get the call. */
function listedBy(runners: readonly (readonly McpDefinition[])[]): readonly McpDefinition[] {
  const [first = [], ...others] = runners;
  if (others.length === 0) return first;
  return [...new Set(runners.flat().map(({ tool }) => tool))].map((name) => {
    const [one, ...more] = runners.map((tools) => tools.filter(({ tool }) => tool === name));
    const same = [one, ...more].every((found) => found?.length === 1 && found[0]?.digest === one?.[0]?.digest);
    return same && one?.[0] !== undefined ? one[0] : defineOtherwise(name);
  });
}

const defineOtherwise = (tool: string): McpDefinition => ({
  tool,
  digest: null,
  definition: null,
  problem: 'The runners of the pool do not define it in the same way.',
});

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
