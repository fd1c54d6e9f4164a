import type { ServedTool } from '../served-tool.js';
import type { StdioServers } from './stdio-servers.js';

/** The beginning of the names of all tools of MCP servers, and of no other tool. */
export const MCP_PREFIX = 'mcp:';

/**
 * The tools of the MCP servers that the operator lists. The grant names the server, the tool and the accepted definition; the call itself
 * names none of them. Without them in the grant nothing starts (`runner.grant_without_definition`).
 */
export const mcpTool = (servers: Pick<StdioServers, 'call'>): ServedTool => ({
  name: MCP_PREFIX,
  parameters: {},
  reads: false,
  call: async (given, { claims, signal, secretsToMask }) =>
    claims.mcp === undefined || claims.shell !== null
      ? {
          ok: false,
          effect: 'not_started',
          error: {
            code: 'runner.grant_without_definition',
            message: 'The grant names no definition of a tool of an MCP server on a runner.',
          },
        }
      : servers.call({ wanted: claims.mcp, given, signal, secretsToMask }),
});
