import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Agent } from 'undici';
import type { JsonObject } from '#lib/canonical';
import { McpClient, readMcpResult, type McpDefinition, type McpResult } from '#lib/mcp-client';
import { mcpFetch } from './mcp-fetch.js';

const GOODBYE_MS = 1_000;

/** The address of a server, and the token that it is called with. */
export interface McpEndpoint {
  readonly url: string;
  readonly token: string | undefined;
  readonly agent: Agent;
}

/** A connection to an upstream MCP server over streamable HTTP, for one look or one call. */
export class McpConnection {
  readonly #client: McpClient;
  readonly #transport: StreamableHTTPClientTransport;
  #extra: Readonly<Record<string, string>> = {};
  /** Whether the call has begun. */
  #calling = false;
  #sent = false;
  #broken: unknown = null;

  constructor({ url, token, agent }: McpEndpoint, limitMs: number) {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: mcpFetch(agent, {
        headers: () => ({ ...authorization, ...this.#extra }),
        leaves: () => {
          this.#sent ||= this.#calling;
          this.#broken = null;
        },
        broke: (error) => {
          this.#broken = error;
        },
      }),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
      onInsufficientScope: 'throw',
    });
    this.#client = new McpClient(this.#transport, limitMs);
  }

  /** True if the request of a call may have arrived. */
  get sent(): boolean {
    return this.#sent;
  }

  /** The error with which the last request ended, which the client of the SDK hides; null if it was answered. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Connects, and reads the definitions of all tools. */
  tools(): Promise<readonly McpDefinition[]> {
    return this.#client.tools();
  }

  /** Calls a tool; `headers` go with this request, and `hide` works on the words of a tool that failed. */
  async call(
    name: string,
    given: JsonObject,
    headers: Readonly<Record<string, string>>,
    hide: (said: string) => string,
  ): Promise<McpResult> {
    this.#extra = headers;
    this.#calling = true;
    try {
      return readMcpResult(await this.#client.call(name, given), hide);
    } finally {
      this.#extra = {};
    }
  }

  /** Ends the session, if the server has one. A server that does not answer changes nothing. */
  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
    await Promise.race([this.#transport.terminateSession().catch(() => undefined), late]);
    await this.#client.close();
  }
}
