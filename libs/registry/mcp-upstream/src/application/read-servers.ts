import type { JsonObject } from '#lib/canonical';
import { err, notFound, ok, type Principal, type Result, type Tx, type UnitOfWork } from '#lib/kernel';
import type { ToolRegistry } from '#lib/tool';
import { differing, standingOf, type ToolStanding } from '../domain/tool-standing.js';
import { digestIn } from './look-at-server.js';
import type { LookedServer, McpLooks } from './mcp-upstream.ports.js';

/** A tool of a server, beside the definition that a person accepted. */
export interface UpstreamTool {
  readonly tool: string;
  /** Its name in the registry. */
  readonly name: string;
  readonly standing: ToolStanding;
  readonly problem: string | null;
  readonly digest: string | null;
  readonly definition: JsonObject | null;
  readonly acceptedDigest: string | null;
  readonly acceptedDefinition: JsonObject | null;
  /** The members that differ from the accepted definition. */
  readonly differs: readonly string[];
}

/** A server with its tools. */
export interface UpstreamServer extends LookedServer {
  readonly tools: readonly UpstreamTool[];
}

/** Reads upstream servers: the definitions that each lists, those that people accepted, and the difference. Failure: `resource.not_found`. */
export class ReadServers {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly looks: McpLooks,
    private readonly tools: Pick<ToolRegistry, 'list'>,
  ) {}

  all(by: Principal): Promise<readonly UpstreamServer[]> {
    return this.uow.run(by.tenantId, async (tx) => {
      const servers = await this.looks.all(tx);
      return Promise.all(servers.map((server) => this.#withTools(tx, server)));
    });
  }

  one(by: Principal, environment: string, name: string): Promise<Result<UpstreamServer>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const found = await this.looks.named(tx, environment, name);
      return found === null ? err(notFound('MCP server')) : ok(await this.#withTools(tx, found));
    });
  }

  async #withTools(tx: Tx, looked: LookedServer): Promise<UpstreamServer> {
    const { server, look } = looked;
    const accepted = new Map(
      (await this.tools.list(tx)).flatMap(({ definition: { executor, mcp } }) =>
        executor === server.name && mcp !== undefined ? [[mcp.tool, mcp.digest] as const] : [],
      ),
    );
    const kept = await this.looks.kept(tx, [...accepted.values()]);
    const names = [...new Set([...look.tools.map(({ tool }) => tool), ...accepted.keys()])].sort();
    const tools = names.map((tool): UpstreamTool => {
      const acceptedDigest = accepted.get(tool) ?? null;
      const seen = look.tools.find((each) => each.tool === tool);
      const definition = seen?.definition ?? null;
      const acceptedDefinition = acceptedDigest === null ? null : (kept.get(acceptedDigest) ?? null);
      return {
        tool,
        name: `mcp:${server.name}:${tool}`,
        standing: standingOf(digestIn(look, tool), acceptedDigest),
        problem: seen?.problem ?? null,
        digest: seen?.digest ?? null,
        definition,
        acceptedDigest,
        acceptedDefinition,
        differs: differing(acceptedDefinition, definition),
      };
    });
    return { ...looked, tools };
  }
}
