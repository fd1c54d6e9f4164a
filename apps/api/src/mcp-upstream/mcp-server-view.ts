import type { McpServerView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import type { UpstreamServer, UpstreamTool } from '#lib/mcp-upstream';

const toolView = (tool: UpstreamTool): McpServerView['tools'][number] => ({
  tool: tool.tool,
  name: tool.name,
  standing: tool.standing,
  problem: tool.problem,
  digest: tool.digest,
  definition: tool.definition as McpServerView['tools'][number]['definition'],
  accepted_digest: tool.acceptedDigest,
  accepted_definition: tool.acceptedDefinition as McpServerView['tools'][number]['accepted_definition'],
  differs: [...tool.differs],
});

export const mcpServerView = ({ server, look, tools }: UpstreamServer): McpServerView => ({
  environment: server.environment,
  name: server.name,
  transport: server.onRunner === null ? 'http' : 'stdio',
  url: server.url,
  pool: server.onRunner?.pool ?? null,
  server: server.onRunner?.server ?? null,
  looked_at: look.lookedAt === null ? null : toTimestamp(look.lookedAt),
  problem: look.problem,
  tools: tools.map(toolView),
});
