import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createMcpHandler, fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';

/** A tool of an upstream server, as it stands at this moment. */
export interface UpstreamTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations?: Readonly<Record<string, boolean>>;
}

/** A call as it arrived. */
export interface UpstreamCall {
  readonly name: string;
  readonly given: unknown;
  readonly headers: IncomingMessage['headers'];
}

/** An MCP server of both protocols, whose tools and answers a test changes while it runs. */
export interface McpUpstream {
  readonly url: string;
  readonly calls: UpstreamCall[];
  /** The methods of all requests, in order. */
  readonly methods: string[];
  tools: readonly UpstreamTool[];
  answer: (call: UpstreamCall) => CallToolResult | Promise<CallToolResult>;
  /** Answers a request in place of the server, if it returns true. */
  instead: ((method: string, response: ServerResponse) => boolean) | null;
  close(): Promise<void>;
}

export const RESTART: UpstreamTool = {
  name: 'restart_service',
  description: 'Restarts a service of a host.',
  inputSchema: {
    type: 'object',
    properties: { host: { type: 'string', maxLength: 100 } },
    required: ['host'],
    additionalProperties: false,
  },
};

export async function mcpUpstream(tools: readonly UpstreamTool[] = [RESTART]): Promise<McpUpstream> {
  const upstream: Omit<McpUpstream, 'url' | 'close'> = {
    calls: [],
    methods: [],
    tools,
    answer: () => ({ content: [{ type: 'text', text: 'restarted' }] }),
    instead: null,
  };
  const serverFor = (headers: IncomingMessage['headers']): McpServer => {
    const server = new McpServer({ name: 'upstream', version: '1' });
    for (const { name, inputSchema, ...config } of upstream.tools) {
      server.registerTool(name, { ...config, inputSchema: fromJsonSchema(inputSchema) }, async (given) => {
        const call = { name, given, headers };
        upstream.calls.push(call);
        return upstream.answer(call);
      });
    }
    return server;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = request.method === 'POST' ? ((await json(request)) as { readonly method?: string }) : {};
    const method = body.method ?? request.method ?? '';
    upstream.methods.push(method);
    if (upstream.instead?.(method, response) === true) return;
    const handler = createMcpHandler(() => serverFor(request.headers));
    const headers = Object.entries(request.headersDistinct).map(([name, all]): [string, string] => [
      name,
      (all ?? []).join(', '),
    ]);
    const address = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
    const answer = await handler.fetch(new Request(address, { method: request.method ?? 'GET', headers }), {
      parsedBody: body,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) response.write(chunk);
    response.end();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
