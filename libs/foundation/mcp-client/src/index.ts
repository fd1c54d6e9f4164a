/**
 * A client of upstream MCP servers, over any transport: their definitions with digests, and one call at a time.
 *
 * Invariants: a server gets no sampling, elicitation or roots; its schemas check nothing and cost nothing; a definition that is too
 * large or too deep for people has no digest (T54). It decides nothing: its caller has compared the digest before it calls. Both sides of a runner have it, so
 * that a digest means the same on each.
 */
export { McpClient } from './mcp-client.js';
export { mcpProblem } from './mcp-problem.js';
export { readMcpResult, type McpResult } from './read-mcp-result.js';
export { readMcpDefinition, type McpDefinition } from './read-mcp-definition.js';
