import { err, notFound, type Failure, type Guarded, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { requireAdmin, type CatalogChangeResult, type ChangeCatalog } from '#lib/tool';
import { documentOfDefinition, type Assignment, type SeenDefinition } from '../domain/document-of-definition.js';
import { digestIn } from './look-at-server.js';
import type { McpLooks } from './mcp-upstream.ports.js';

/** The definition that a person accepts, and the digest that they saw. */
export interface WantedDefinition {
  readonly environment: string;
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
}

/**
 * Accepts the definition of a tool, with the risk that a person assigns. It becomes a version of the registry's tool
 * `mcp:<server>:<tool>`, pinned by digest. As any new or loosened tool, it waits for a second person.
 *
 * Failures: `resource.not_found`, `mcp.definition_moved` if the server lists another one than they saw, and those of the registry.
 */
export class AcceptDefinition {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly looks: McpLooks,
    private readonly catalog: Pick<ChangeCatalog, 'execute'>,
  ) {}

  async execute(
    by: Principal,
    wanted: WantedDefinition,
    assigned: Assignment,
  ): Promise<Result<Guarded<CatalogChangeResult>>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return admin;
    const seen = await this.#keep(admin.value, wanted);
    if (!seen.ok) return seen;
    const document = documentOfDefinition(seen.value, assigned);
    const name = `mcp:${wanted.server}:${wanted.tool}`;
    return this.catalog.execute(by, new Map([[name, document]]), { keep: 'others_stay', dryRun: false, at: () => '' });
  }

  /** The definition, kept for those who compare a later one with it. */
  #keep(by: Principal, { environment, server, tool, digest }: WantedDefinition): Promise<Result<SeenDefinition>> {
    return this.uow.run(by.tenantId, async (tx): Promise<Result<SeenDefinition>> => {
      const found = await this.looks.named(tx, environment, server);
      const listed = found?.look.tools.find((each) => each.tool === tool);
      if (found === null || listed === undefined) return err(unlisted(tool));
      if (listed.definition === null || listed.digest === null) return err(unusable(tool, listed.problem));
      if (digestIn(found.look, tool) !== digest) return err(moved(tool));
      await this.looks.keep(tx, listed.digest, listed.definition, await tx.now());
      return { ok: true, value: { server, tool, digest, definition: listed.definition } };
    });
  }
}

const unlisted = (tool: string): Failure => ({
  ...notFound('tool of an MCP server'),
  message: `The latest look at the server has no tool ${tool}.`,
  action: 'Look at the server, and accept a tool that it lists.',
});

const moved = (tool: string): Failure => ({
  kind: 'conflict',
  code: 'mcp.definition_moved',
  message: `The server lists another definition of ${tool} than the one that you saw.`,
  action: 'Look at the definition again, and accept it with its digest if it is right.',
});

const unusable = (tool: string, problem: string | null): Failure => ({
  kind: 'unprocessable',
  code: 'mcp.definition_unusable',
  message: `The definition of ${tool} cannot be accepted. ${problem ?? ''}`.trim(),
  action: 'Ask those who run the server to correct it.',
});
