import type { IssueGrant } from '../../application/issue-grant.js';
import { recordable } from '../../application/recordable-outcome.js';
import { resolveCallSecrets } from '../../application/resolve-call-secrets.js';
import type { RunnerCalls } from '../../application/runner-calls.port.js';
import type { SecretResolver } from '../../application/secret-resolver.port.js';
import { notStarted, type DispatchOrder, type DispatchOutcome } from '../../application/tool-dispatcher.port.js';
import { outcomeOfRunner } from '../runner/outcome-of-runner.js';
import { poolUnreachable } from '../runner/pool-unreachable.js';
import type { ServerOnRunner } from './server-on-runner.js';

/**
 * Calls the tools of MCP servers on runners. The grant names the server, the tool and the digest of the accepted definition. The runner
 * starts the server, reads the definition again and refuses another one (T54).
 */
export class McpRunnerDispatcher {
  constructor(
    private readonly issueGrant: Pick<IssueGrant, 'execute'>,
    private readonly secrets: SecretResolver,
    private readonly calls: RunnerCalls,
  ) {}

  async dispatch(
    order: DispatchOrder,
    { tool, digest }: NonNullable<DispatchOrder['tool']['mcp']>,
    { pool, server }: ServerOnRunner,
  ): Promise<DispatchOutcome> {
    const { tenantId, environment, executor } = order;
    const { reach, onRunners } = await this.calls.mcpServer(tenantId, pool, environment, server);
    // A runner that is offline may be back within the time of the offer.
    if (reach === 'none' || reach === 'elsewhere')
      return notStarted('dispatch.unreachable', poolUnreachable(reach, pool, environment));
    if (reach === 'online' && onRunners.length === 0)
      return notStarted('dispatch.unreachable', notListed(pool, server));
    const resolved = await resolveCallSecrets(this.secrets, order);
    if (!resolved.ok) return resolved.error;
    const grant = await this.issueGrant.execute({ ...order, onRunner: { server, tool, digest } });
    if (grant === null) {
      return notStarted('dispatch.overtaken', 'The call did not leave in time, or a halt came before it.');
    }
    const end = await this.calls.carryOut({ ...order, executor: executor.name, pool, grant });
    return recordable(outcomeOfRunner(end, pool), resolved.value.values);
  }
}

/** The reason why no runner can start a server. */
export const notListed = (pool: string, server: string): string =>
  `No runner of the pool ${pool} that is online lists the MCP server ${server}. Its operator adds it to the file in COUNTERSIGN_RUNNER_MCP_FILE.`;
