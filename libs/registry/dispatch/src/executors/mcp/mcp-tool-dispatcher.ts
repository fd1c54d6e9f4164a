import { GRANT_HEADER } from '#lib/formats';
import { inlineSecrets, withoutSecrets } from '../../domain/secret-references.js';
import type { IssueGrant } from '../../application/issue-grant.js';
import { recordable } from '../../application/recordable-outcome.js';
import { resolveCallSecrets } from '../../application/resolve-call-secrets.js';
import type { SecretResolver } from '../../application/secret-resolver.port.js';
import {
  notStarted,
  type DispatchOrder,
  type DispatchOutcome,
  type ToolDispatcher,
} from '../../application/tool-dispatcher.port.js';
import type { OutboundAgents } from '../../adapters/tenant-agents.js';
import type { RunnerCalls } from '../../application/runner-calls.port.js';
import { McpConnection } from './mcp-connection.js';
import { outcomeOfMcpError, outcomeOfMcpResult } from './mcp-outcome.js';
import { serverOnRunner } from './server-on-runner.js';
import { McpRunnerDispatcher } from './mcp-runner-dispatcher.js';

/**
 * Calls the tools of upstream MCP servers. Before each call it reads the definition of the tool again. A server could
 * change it after an earlier look. A definition other than the accepted one is refused as `mcp.definition_changed`
 * (T54).
 */
export class McpToolDispatcher implements ToolDispatcher {
  readonly #onRunners: McpRunnerDispatcher;

  constructor(
    private readonly issueGrant: Pick<IssueGrant, 'execute'>,
    private readonly secrets: SecretResolver,
    private readonly agents: OutboundAgents,
    runnerCalls: RunnerCalls,
  ) {
    this.#onRunners = new McpRunnerDispatcher(issueGrant, secrets, runnerCalls);
  }

  async dispatch(order: DispatchOrder): Promise<DispatchOutcome> {
    const { url, secret, name, settings } = order.executor;
    const { mcp } = order.tool;
    if (mcp === undefined) {
      return notStarted('mcp.not_accepted', `${order.tool.name} is not an accepted tool of the MCP server ${name}.`);
    }
    const onRunner = serverOnRunner(settings);
    if (onRunner !== null) return this.#onRunners.dispatch(order, mcp, onRunner);
    if (url === null) return notStarted('dispatch.unreachable', `The MCP server ${name} has no address.`);
    const resolved = await resolveCallSecrets(this.secrets, order);
    if (!resolved.ok) return resolved.error;
    const { values } = resolved.value;
    const token = secret === null ? undefined : values.get(secret);
    const agent = await this.agents.agentFor(order.tenantId);
    const connection = new McpConnection({ url, token, agent }, order.tool.timeLimitSeconds * 1_000);
    try {
      return recordable(await this.#call(connection, order, mcp, values), values);
    } finally {
      await connection.close();
    }
  }

  async #call(
    connection: McpConnection,
    order: DispatchOrder,
    { tool, digest }: NonNullable<DispatchOrder['tool']['mcp']>,
    secrets: ReadonlyMap<string, string>,
  ): Promise<DispatchOutcome> {
    const server = order.executor.name;
    const hide = (said: string): string => withoutSecrets(said, secrets);
    try {
      const listed = (await connection.tools()).filter((each) => each.tool === tool);
      if (listed.length !== 1 || listed[0]?.digest !== digest) return changed(server, tool, listed.length);
      const grant = await this.issueGrant.execute(order);
      if (grant === null) {
        return notStarted('dispatch.overtaken', 'The call did not leave in time, or a halt came before it.');
      }
      const given = inlineSecrets(order.arguments, order.withSecrets ? secrets : new Map());
      return outcomeOfMcpResult(await connection.call(tool, given, { [GRANT_HEADER]: grant }, hide));
    } catch (error) {
      return outcomeOfMcpError(connection.broken ?? error, {
        server,
        seconds: order.tool.timeLimitSeconds,
        sent: connection.sent,
        hide,
      });
    }
  }
}

function changed(server: string, tool: string, listed: number): DispatchOutcome {
  const how =
    listed === 0 ? 'no longer lists it' : listed > 1 ? 'lists it more than once' : 'now defines it in another way';
  return notStarted(
    'mcp.definition_changed',
    `The MCP server ${server} ${how} than was accepted: ${tool}. Compare with \`countersign mcp-server show ${server}\`, and accept the new definition if it is right.`,
  );
}
