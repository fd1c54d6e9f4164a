import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
  type JsonSchemaValidator,
} from '@modelcontextprotocol/client';
import type { Agent } from 'undici';
import type { JsonObject } from '#lib/canonical';
import { MAX_MCP_TOOLS, readMcpDefinition, type McpDefinition } from '../../domain/read-mcp-definition.js';
import { mcpFetch } from './mcp-fetch.js';

const MAX_PAGES = 10;
const GOODBYE_MS = 1_000;

/** Where a server is, and the token that it is called with. */
export interface McpPlace {
  readonly url: string;
  readonly token: string | undefined;
  readonly agent: Agent;
}

/** A server's schemas check nothing here, so that none of them costs time. */
const unchecked: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator<Checked>(): JsonSchemaValidator<Checked> {
    return (input) => ({ valid: true, data: input as Checked, errorMessage: undefined });
  },
};

/** The server lists more tools than anybody could judge. */
export class TooManyToolsError extends Error {
  constructor() {
    super(`The server lists more than ${String(MAX_MCP_TOOLS)} tools.`);
  }
}

/**
 * A connection to an upstream MCP server for one look or one call, in the newest protocol that it speaks. Countersign offers it no
 * sampling, elicitation or roots.
 */
export class McpConnection {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport;
  readonly #deadline: AbortSignal;
  readonly #limitMs: number;
  #extra: Readonly<Record<string, string>> = {};
  /** Whether the call has begun. */
  #calling = false;
  #sent = false;
  #broken: unknown = null;

  constructor({ url, token, agent }: McpPlace, limitMs: number) {
    this.#limitMs = limitMs;
    this.#deadline = AbortSignal.timeout(limitMs);
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#client = new Client(
      { name: 'countersign', version: '1' },
      {
        capabilities: {},
        versionNegotiation: { mode: 'auto' },
        inputRequired: { autoFulfill: false },
        listMaxPages: MAX_PAGES,
        jsonSchemaValidator: unchecked,
      },
    );
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
  async tools(): Promise<readonly McpDefinition[]> {
    await this.#client.connect(this.#transport, this.#options());
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const { tools } = await this.#client.listTools(undefined, this.#options());
    if (tools.length > MAX_MCP_TOOLS) throw new TooManyToolsError();
    return tools.map(readMcpDefinition);
  }

  /** Calls a tool; `headers` go with this request. */
  async call(name: string, given: JsonObject, headers: Readonly<Record<string, string>>): Promise<CallToolResult> {
    this.#extra = headers;
    this.#calling = true;
    // A stream that ends without an answer raises an error, and no more.
    const broken = new Promise<never>((_resolve, reject) => {
      this.#client.onerror = reject;
    });
    broken.catch(() => undefined);
    try {
      return await Promise.race([this.#client.callTool({ name, arguments: { ...given } }, this.#options()), broken]);
    } finally {
      this.#extra = {};
    }
  }

  /** Ends the session, if the server has one. A server that does not answer changes nothing. */
  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
    await Promise.race([this.#transport.terminateSession().catch(() => undefined), late]);
    await this.#client.close().catch(() => undefined);
  }

  #options(): { signal: AbortSignal; timeout: number } {
    return { signal: this.#deadline, timeout: this.#limitMs };
  }
}
