import type { McpServerView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import type { UpstreamServer, UpstreamTool } from '#lib/mcp-upstream';
import type { WaitingAcceptance } from './waiting-acceptances.js';

type Waiting = ReadonlyMap<string, WaitingAcceptance>;

const toolView = (tool: UpstreamTool, waiting: WaitingAcceptance | undefined): McpServerView['tools'][number] => ({
  tool: tool.tool,
  name: tool.name,
  standing: tool.standing,
  problem: tool.problem,
  digest: tool.digest,
  // Zod's type of JSON has no readonly members.
  definition: tool.definition as McpServerView['tools'][number]['definition'],
  accepted_digest: tool.acceptedDigest,
  // As the definition.
  accepted_definition: tool.acceptedDefinition as McpServerView['tools'][number]['accepted_definition'],
  differs: [...tool.differs],
  waiting: waiting === undefined ? null : { change_request_id: waiting.changeRequestId, digest: waiting.digest },
});

export const mcpServerView = ({ server, look, tools }: UpstreamServer, waiting: Waiting): McpServerView => ({
  environment: server.environment,
  name: server.name,
  transport: server.onRunner === null ? 'http' : 'stdio',
  url: server.url,
  pool: server.onRunner?.pool ?? null,
  server: server.onRunner?.server ?? null,
  looked_at: look.lookedAt === null ? null : toTimestamp(look.lookedAt),
  problem: look.problem,
  tools: tools.map((tool) => toolView(tool, waiting.get(tool.name))),
});
