import {
  Client,
  type CallToolResult,
  type ClientOptions,
  type JsonSchemaValidator,
  type Transport,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '#lib/canonical';
import { MAX_MCP_TOOLS, readMcpDefinition, type McpDefinition } from './read-mcp-definition.js';
import { screenMessages, TooManyToolsError } from './screen-messages.js';

const MAX_PAGES = 10;

/** A server's schemas check nothing here, so that none of them costs time. */
const unchecked: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator<Checked>(): JsonSchemaValidator<Checked> {
    // Nothing is checked here: the caller reads the answer by its own schema.
    return (input) => ({ valid: true, data: input as Checked, errorMessage: undefined });
  },
};

/**
 * A connection to an upstream MCP server for one look or one call, in the newest protocol that it speaks. Countersign offers it no
 * sampling, elicitation or roots. Its methods throw the errors of the SDK, which {@link mcpProblem} reads.
 */
export class McpClient {
  readonly #client: Client;
  readonly #deadline: AbortSignal;
  /** Rejects once the server sends a message that is too vast to check. */
  readonly #refused: Promise<never>;

  /**
   * @param limitMs the time for all requests together.
   * @param probeMs the time limit for a server on a pipe to say that it speaks the new protocol. An older one may stay
   * silent.
   */
  constructor(
    private readonly transport: Transport,
    private readonly limitMs: number,
    probeMs = limitMs,
  ) {
    this.#deadline = AbortSignal.timeout(limitMs);
    this.#refused = new Promise((_resolve, reject) => {
      screenMessages(transport, reject);
    });
    this.#refused.catch(() => undefined);
    this.#client = new Client(
      { name: 'countersign', version: '1' },
      {
        capabilities: {},
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
        inputRequired: { autoFulfill: false },
        listMaxPages: MAX_PAGES,
        jsonSchemaValidator: unchecked,
      },
    );
  }

  /** Connects, and reads the definitions of all tools. */
  tools(): Promise<readonly McpDefinition[]> {
    return Promise.race([this.#tools(), this.#refused]);
  }

  async #tools(): Promise<readonly McpDefinition[]> {
    await this.#client.connect(this.transport, this.#options());
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const { tools } = await this.#client.listTools(undefined, this.#options());
    if (tools.length > MAX_MCP_TOOLS) throw new TooManyToolsError();
    return tools.map(readMcpDefinition);
  }

  /** Calls a tool, after {@link tools}. */
  async call(name: string, given: JsonObject): Promise<CallToolResult> {
    // A stream that ends without an answer raises an error, and no more.
    const broken = new Promise<never>((_resolve, reject) => {
      this.#client.onerror = reject;
    });
    broken.catch(() => undefined);
    return Promise.race([
      this.#client.callTool({ name, arguments: { ...given } }, this.#options()),
      broken,
      this.#refused,
    ]);
  }

  async close(): Promise<void> {
    await this.#client.close().catch(() => undefined);
  }

  #options(): { signal: AbortSignal; timeout: number } {
    return { signal: this.#deadline, timeout: this.limitMs };
  }
}
