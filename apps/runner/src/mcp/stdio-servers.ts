import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Json, JsonObject } from '#lib/canonical';
import { makeFolder } from '#lib/folders';
import type { AdvertisedMcpServer, GrantedMcpTool } from '#lib/formats';
import { cleaned, maskSecrets } from '#lib/kernel';
import { McpClient, mcpProblem, readMcpResult } from '#lib/mcp-client';
import type { ProgramGroups, ToolOutcome } from '#lib/workspace';
import type { ListedServer } from './listed-server.js';
import { pathInRoot } from './path-in-root.js';
import { removeFolder } from './remove-folder.js';
import { ServerEndedError, ServerNotStartedError, StdioTransport } from './stdio-transport.js';

/** The longest time of a look, in seconds. A server with a shorter time limit is looked at for no longer than that. */
const LOOK_SECONDS = 20;
/** A server of the older protocol may say nothing to a question of the new one. */
const PROBE_MS = 5_000;
/** The most bytes of all definitions together: they go to Countersign in one request. */
const MAX_ADVERTISED = 500_000;
const MAX_PROBLEM = 300;

/** The parts that start servers. */
export interface StdioServerParts {
  readonly servers: readonly ListedServer[];
  /** The folder that tools write to: no code of a server comes from it. */
  readonly root: string;
  readonly programFolders: readonly string[];
  /** Each start gets a home of its own in it. */
  readonly homes: string;
  readonly groups: ProgramGroups;
  /** Hears the last words of a server that failed. */
  readonly warn: (facts: object, message: string) => void;
}

/** One call of a tool of a server. */
export interface StdioCall {
  readonly wanted: GrantedMcpTool;
  readonly given: JsonObject;
  readonly signal: AbortSignal;
  readonly secretsToMask: readonly string[];
}

interface StartLimits<Outcome> {
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly masks: readonly string[];
  /** The outcome if the server is not started. */
  readonly unstarted: (message: string) => Outcome;
}

/**
 * The MCP servers that the operator lists. Each look and each call starts the server anew and ends it. The server keeps nothing
 * from one call to the next, and none of its processes stays behind.
 */
export class StdioServers {
  readonly #seen = new Map<string, AdvertisedMcpServer>();
  #looking: Promise<void> | null = null;

  constructor(private readonly parts: StdioServerParts) {}

  /** The servers as they were at their last look. */
  get advertised(): readonly AdvertisedMcpServer[] {
    let left = MAX_ADVERTISED;
    return this.parts.servers.map(({ name }) => {
      const seen = this.#seen.get(name) ?? { name, problem: NOT_LOOKED_AT, tools: [] };
      left -= Buffer.byteLength(JSON.stringify(seen));
      return left >= 0 ? seen : { name, problem: TOO_LARGE, tools: [] };
    });
  }

  /** Reads the tools of all servers, each by itself. A look that is under way is awaited, and there is no other beside it. */
  look(): Promise<void> {
    this.#looking ??= Promise.all(
      this.parts.servers.map(async (server) => {
        this.#seen.set(server.name, await this.#lookAt(server));
      }),
    ).then(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /**
   * Calls a tool, if its server still lists the definition that the grant names (T54). A server that ends or stays silent in the call
   * leaves an unknown effect.
   *
   * Errors before the call: `mcp.no_such_server`, `mcp.definition_changed`, `dispatch.unreachable`; others as {@link mcpProblem} names them.
   */
  async call({ wanted, given, signal, secretsToMask }: StdioCall): Promise<ToolOutcome> {
    const { server: name, tool, digest } = wanted;
    const server = this.parts.servers.find((each) => each.name === name);
    if (server === undefined) return refused('mcp.no_such_server', `This runner lists no MCP server ${name}.`);
    const seconds = server.timeLimitSeconds;
    const masks = [...secretsToMask, ...server.secrets];
    const unstarted = (message: string): ToolOutcome => refused('dispatch.unreachable', message);
    return this.#started(server, { seconds, signal, masks, unstarted }, async (client, transport) => {
      let sent = false;
      try {
        const listed = (await client.tools()).filter((each) => each.tool === tool);
        if (listed.length !== 1 || listed[0]?.digest !== digest) return changed(name, tool, listed.length);
        signal.throwIfAborted();
        sent = true;
        const answer = readMcpResult(await client.call(tool, given), hiding(masks));
        return answer.ok
          ? { ok: true, result: maskSecrets(answer.result, masks) }
          : { ok: false, effect: 'done', error: answer.error };
      } catch (error) {
        const { refused, ...problem } = this.#problemOf(error, name, { transport, seconds, masks });
        return { ok: false, effect: sent && !refused ? 'unknown' : 'not_started', error: problem };
      }
    });
  }

  async #lookAt(server: ListedServer): Promise<AdvertisedMcpServer> {
    const unstarted = (problem: string): AdvertisedMcpServer => ({ name: server.name, problem, tools: [] });
    const { name, secrets: masks } = server;
    const seconds = Math.min(LOOK_SECONDS, server.timeLimitSeconds);
    const limits = { seconds, signal: new AbortController().signal, masks };
    return this.#started(server, { ...limits, unstarted }, async (client, transport) => {
      try {
        const found = (await client.tools()).map((each) =>
          repeats([each.tool, each.definition], masks)
            ? { ...REPEATING, tool: maskSecrets(each.tool, masks).slice(0, each.tool.length) }
            : each,
        );
        // Zod's type of JSON has no readonly members.
        return { name, problem: null, tools: found as AdvertisedMcpServer['tools'] };
      } catch (error) {
        const { message } = this.#problemOf(error, name, { transport, seconds, masks });
        return { name, problem: shown(message), tools: [] };
      }
    });
  }

  /** Starts a server for one piece of work, and ends it with everything that it started. */
  async #started<Outcome>(
    server: ListedServer,
    { seconds, signal, masks, unstarted }: StartLimits<Outcome>,
    work: (client: McpClient, transport: StdioTransport) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { name, program, arguments: args, environment, folder } = server;
    const { homes, root, programFolders, groups } = this.parts;
    // Again at each start: tools may have made files since the list was read.
    if (pathInRoot(server, root) !== null) {
      this.parts.warn({ server: name }, 'an MCP server was not started: it would take code from the workspace');
      return unstarted(`The MCP server ${name} is not started: it would take code from the workspace of the runner.`);
    }
    const home = join(homes, randomUUID());
    try {
      await makeFolder(home);
    } catch (error) {
      this.parts.warn({ server: name, err: error }, 'an MCP server has no folder to start in');
      return unstarted(`The MCP server ${name} cannot be started.`);
    }
    const own = { PATH: programFolders.join(':'), LANG: 'C.UTF-8', ...environment, HOME: home };
    const transport = new StdioTransport({ program, arguments: args, environment: own, folder, masks, groups, home });
    const over = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
    const end = (): void => {
      transport.kill(over.reason instanceof Error ? over.reason : new Error('the runner ended it'));
    };
    over.addEventListener('abort', end, { once: true });
    const client = new McpClient(transport, seconds * 1_000, Math.min(PROBE_MS, seconds * 500));
    try {
      return await work(client, transport);
    } finally {
      over.removeEventListener('abort', end);
      // The outcome of the work stands, also if something of the server stays.
      await this.#end(client, transport, home).catch((error: unknown) => {
        this.parts.warn({ server: name, err: error }, 'an MCP server left something that cannot be removed');
      });
    }
  }

  async #end(client: McpClient, transport: StdioTransport, home: string): Promise<void> {
    await client.close();
    await transport.close();
    await this.parts.groups.endOf(home);
    await removeFolder(home);
  }

  #problemOf(
    error: unknown,
    name: string,
    {
      transport,
      ...limits
    }: { readonly transport: StdioTransport; readonly seconds: number; readonly masks: readonly string[] },
  ): { readonly code: string; readonly message: string; readonly refused: boolean } {
    const { failure, words } = transport;
    const cause = failure ?? error;
    const reason = maskSecrets(String(cause), limits.masks);
    this.parts.warn({ server: name, reason, stderr: words }, 'an MCP server failed');
    const known = mcpProblem(cause, { server: name, seconds: limits.seconds, hide: hiding(limits.masks) });
    if (known !== null) return known;
    if (failure instanceof ServerNotStartedError)
      return { code: 'dispatch.unreachable', message: `The MCP server ${name} cannot be started.`, refused: true };
    const { code, message } =
      failure instanceof ServerEndedError ? failure : new ServerEndedError('the runner ended it');
    return { code, message: `The MCP server ${name} gave no answer: ${message}.`, refused: false };
  }
}

const NOT_LOOKED_AT = 'The runner has not read its tools yet.';
const TOO_LARGE = `The definitions of all servers of the runner have more than ${String(MAX_ADVERTISED)} bytes.`;

const hiding =
  (masks: readonly string[]) =>
  (said: string): string =>
    maskSecrets(said, masks);

/** The words of a server as Countersign takes them: a cut must not leave half a character. */
const shown = (message: string): string => cleaned(message).slice(0, MAX_PROBLEM).toWellFormed();

const REPEATING = { digest: null, definition: null, problem: 'It repeats a secret of the server.' } as const;

/** Whether a text in the value, or the name of a member, holds a secret. The text of its JSON would have it escaped. */
function repeats(value: Json, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => repeats(name, secrets) || repeats(member, secrets));
}

const refused = (code: string, message: string): ToolOutcome => ({
  ok: false,
  effect: 'not_started',
  error: { code, message },
});

function changed(server: string, tool: string, listed: number): ToolOutcome {
  const how =
    listed === 0 ? 'no longer lists it' : listed > 1 ? 'lists it more than once' : 'now defines it in another way';
  return refused(
    'mcp.definition_changed',
    `The MCP server ${server} ${how} than was accepted: ${tool}. Compare the definitions, and accept the new one if it is right.`,
  );
}
