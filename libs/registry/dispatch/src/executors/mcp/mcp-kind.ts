import { executorDocumentSchema } from '#lib/formats';
import type { ExecutorKind } from '../executor-kind.js';
import { readHttpSettings } from '../http/read-http-settings.js';
import { McpToolDispatcher } from './mcp-tool-dispatcher.js';

/** An upstream MCP server that is called over streamable HTTP. Its tools are named mcp:<server>:<tool>. */
export const mcpKind: ExecutorKind = {
  name: 'mcp',
  title: 'an MCP server that is called over HTTP',
  answeredBy: 'executor',
  settings: executorDocumentSchema.pick({ url: true, secret: true }).required({ url: true }),
  read: readHttpSettings,
  destination: ({ url }) => `the MCP server at ${url ?? 'no address'}`,
  dispatcher: ({ issueGrant, secrets, agents }) => new McpToolDispatcher(issueGrant, secrets, agents),
};
