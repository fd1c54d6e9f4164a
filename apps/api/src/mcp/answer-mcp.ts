import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { missingTasks, takesTasks } from './mcp-tasks.js';
import type { TaskingServer } from './tasking-server.js';

/** An HTTP request to an MCP endpoint. */
export interface McpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As JSON parsed it; undefined if there is none. */
  readonly body: unknown;
}

/**
 * Answers one request by a server of its own. No list that is served here changes, so that a subscription ends at once.
 *
 * @param address of the endpoint.
 */
export function answerMcp(
  { method, headers, body }: McpRequest,
  address: string,
  serverOf: (era: McpRequestContext['era']) => TaskingServer,
): Promise<Response> {
  const asked = askingForTasks.safeParse(body).data;
  if (asked !== undefined && !takesTasks(asked.params._meta)) {
    const { code, message, data } = missingTasks();
    return Promise.resolve(
      Response.json({ jsonrpc: '2.0', id: asked.id, error: { code, message, data } }, { status: 400 }),
    );
  }
  const handler = createMcpHandler(({ era }) => serverOf(era));
  return handler.fetch(
    new Request(address, { method, headers: headersOf(headers) }),
    body === undefined ? {} : { parsedBody: body },
  );
}

/** A request to be told of tasks. The package knows no tasks, and would acknowledge it without them. */
const askingForTasks = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.object({
    _meta: z.record(z.string(), z.unknown()),
    notifications: z.object({ taskIds: z.array(z.string()) }),
  }),
});

/** The headers of the protocol; the others are of no concern to it. */
const headersOf = (headers: McpRequest['headers']): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(accept|content-type|mcp-.+)$/.test(name) ? [[name, value]] : [],
  );
