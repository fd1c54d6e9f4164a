import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
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
  const handler = createMcpHandler(({ era }) => serverOf(era));
  return handler.fetch(
    new Request(address, { method, headers: headersOf(headers) }),
    body === undefined ? {} : { parsedBody: body },
  );
}

/** The headers of the protocol; the others are of no concern to it. */
const headersOf = (headers: McpRequest['headers']): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(accept|content-type|mcp-.+)$/.test(name) ? [[name, value]] : [],
  );
