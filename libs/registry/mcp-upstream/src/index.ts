/**
 * Upstream MCP servers: the tools that each lists, and the definitions of them that people accepted.
 *
 * A server is an executor of kind `mcp`, and an accepted tool is a tool of the registry named `mcp:<server>:<tool>`. Policies, plans and
 * evidence treat it as any other. This library owns the looks at servers and the accepted definitions. Invariants: the words
 * of a server are data, and each of its hints about risk is ignored; a tool that no person accepted does not exist for agents; a digest
 * pins the whole definition, and the way out compares it before each call (T54).
 */
export { mcpDefinitionEntity, mcpLookEntity } from './adapters/mcp-upstream.entity.js';
export { AcceptDefinition } from './application/accept-definition.js';
export { LookAtServer } from './application/look-at-server.js';
export { ReadServers, type UpstreamServer, type UpstreamTool } from './application/read-servers.js';
export { createMcpLooks, createMcpUpstreams } from './create-mcp-upstreams.js';
