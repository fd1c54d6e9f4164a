import { Logger } from '@nestjs/common';
import type {
  CallToolResult,
  InputRequiredResult,
  McpRequestContext,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Problem } from '#lib/api-schemas';
import { FailureError } from '#lib/kernel';
import { problemOf } from '../http/index.js';
import { opensPages, pageToOpen } from './page-to-open.js';
import { ApiRefusal, within } from './api-calls.js';
import { CARD_TYPE, REQUEST_CARD, REQUEST_CARD_HTML } from './card/request-card.js';
import { keptJsonSchema, uncheckedInput } from './kept-json-schema.js';
import { asTask, takesTasks } from './mcp-tasks.js';
import { resultWith, type McpTool, type ToolWorld } from './mcp-tool.js';
import { MCP_TOOLS } from './mcp-tools.js';
import { TaskingServer } from './tasking-server.js';
import { WaitingTasks } from './waiting-tasks.js';

const logger = new Logger('Mcp');

type Refused = Pick<Problem, 'code' | 'detail' | 'action' | 'details' | 'errors' | 'reasons'>;

/** The only answer that a client gets to an unexpected error. */
const UNEXPECTED: Refused = {
  code: 'internal.unexpected',
  detail: 'An unexpected error was recorded.',
  action: 'Before you repeat it, check whether it was done. If it happens again, tell the operator.',
};

const INSTRUCTIONS = [
  'Countersign stands between you and the tools that change things: policies decide, and people approve.',
  'For a single call, use submit_tool_call. For a change in steps: submit_task, submit_plan, simulate_plan, request_approval.',
  'If people are asked, the answer is "pending" at once. Tell the user the page, and read the status from time to time.',
  'You cannot approve anything.',
].join('\n');

/** Hosts without MCP Apps take no notice of it. A request of 2025 does not say whether its host has them. */
const CARD_LINK = { ui: { resourceUri: REQUEST_CARD } };

const SERVED_TOOLS = MCP_TOOLS.map((tool) => ({
  tool,
  inputSchema: uncheckedInput(keptJsonSchema(tool.input)),
  outputSchema: keptJsonSchema(tool.output),
}));

/** An MCP server with every tool, for one request of one caller. */
export function mcpServer(world: ToolWorld, era: McpRequestContext['era']): TaskingServer {
  const server = new TaskingServer(
    { name: 'countersign', title: 'Countersign', version: '1' },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false }, resources: { listChanged: false } } },
  );
  if (era === 'modern') server.serveTasks(new WaitingTasks(world));
  serveCard(server);
  for (const { tool, inputSchema, outputSchema } of SERVED_TOOLS) {
    const { name, title, description, readsOnly: readOnlyHint } = tool;
    const _meta = tool.hasCard ? CARD_LINK : {};
    const annotations = { readOnlyHint, destructiveHint: !readOnlyHint, idempotentHint: readOnlyHint };
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations, _meta }, (input, context) =>
      resultOf(tool, { input, context }, world),
    );
  }
  return server;
}

/** The card is a document without anything of a tenant. */
function serveCard(server: TaskingServer): void {
  const described = { title: 'A pending request', description: 'Shows an approval request, and cannot answer it.' };
  const mimeType = CARD_TYPE;
  server.registerResource('request', REQUEST_CARD, { ...described, mimeType }, () => ({
    contents: [{ uri: REQUEST_CARD, mimeType, text: REQUEST_CARD_HTML, _meta: { ui: { prefersBorder: true } } }],
  }));
}

async function resultOf(
  tool: McpTool,
  { input, context }: { readonly input: unknown; readonly context: ServerContext },
  world: ToolWorld,
): Promise<CallToolResult | InputRequiredResult> {
  const { mcpReq } = context;
  const own = { ...world, api: within(tool.name, tool.routes, world.api) };
  try {
    const asked: unknown = mcpReq.requestState();
    const again = tool.waits !== undefined && typeof asked === 'string';
    const view = again ? await tool.waits.reread(asked, own) : await tool.run(input, own);
    const answer = tool.output.parse(view);
    const id = tool.waits?.idOf(view) ?? null;
    if (id !== null && takesTasks(mcpReq.envelope)) {
      const task = await new WaitingTasks(world).find(id);
      if (task?.status === 'working') return asTask(resultWith(answer), task);
    }
    // A person who has been shown the page may take their time: the second answer is the pending one.
    if (id !== null && !again && mcpReq.inputResponses === undefined && opensPages(mcpReq.envelope))
      return pageToOpen(String(answer.page), id);
    return resultWith(answer);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === UNEXPECTED) logger.error({ err: error }, `the MCP tool ${tool.name} failed`);
    const { code, detail: message, action, details, errors, reasons } = refused;
    return {
      content: [{ type: 'text', text: JSON.stringify({ code, message, action, details, errors, reasons }) }],
      isError: true,
    };
  }
}

function refusalOf(error: unknown): Refused {
  if (error instanceof ApiRefusal) return error.problem;
  return error instanceof FailureError ? problemOf(error.failure, '') : UNEXPECTED;
}
