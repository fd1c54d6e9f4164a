import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { ToolRegistry, ExecutorId } from '#lib/tool';
import { standingOf } from '../domain/tool-standing.js';
import type { LookedServer, McpAnswer, McpLook, McpLooks, McpServerReader } from './mcp-upstream.ports.js';

/** How long after a look the next one is due. */
const LOOK_EVERY_MS = 5 * 60_000;

/**
 * Looks at the tools of an upstream server: for a person who asks, and every five minutes. A definition that is no longer the accepted
 * one is recorded once. Its calls are refused whether or not anybody looked.
 */
export class LookAtServer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly looks: McpLooks,
    private readonly tools: Pick<ToolRegistry, 'list'>,
    private readonly reader: McpServerReader,
    private readonly audit: AuditSink,
  ) {}

  /** The server by its environment and name. Failure: `resource.not_found`. */
  async ask(by: PersonPrincipal, environment: string, name: string): Promise<Result<null>> {
    const found = await this.uow.run(by.tenantId, (tx) => this.looks.named(tx, environment, name));
    if (found === null) return err(notFound('MCP server'));
    await this.execute(by.tenantId, found.server.id);
    return ok(null);
  }

  async execute(tenantId: TenantId, id: string): Promise<void> {
    const due = await this.uow.run(tenantId, async (tx) => {
      // The job of this kind names an executor.
      const found = await this.looks.lock(tx, id as ExecutorId);
      if (found !== null) await this.looks.putOff(tx, found.server.id, (await tx.now()) + LOOK_EVERY_MS);
      return found;
    });
    if (due === null) return;
    const answer = await this.reader.read(tenantId, due.server);
    await this.uow.run(tenantId, (tx) => this.#record(tx, due.server.id, answer));
  }

  async #record(tx: Tx, id: ExecutorId, answer: McpAnswer): Promise<void> {
    const before = await this.looks.lock(tx, id);
    if (before === null) return;
    const lookedAt = await tx.now();
    const look: McpLook = answer.ok
      ? { lookedAt, problem: null, tools: answer.tools }
      : { ...before.look, lookedAt, problem: answer.problem };
    await this.looks.save(tx, id, look);
    if (answer.ok) await this.#recordChanges(tx, before, look);
  }

  async #recordChanges(tx: Tx, { server, look: before }: LookedServer, after: McpLook): Promise<void> {
    for (const { name, definition } of await this.tools.list(tx)) {
      if (definition.executor !== server.name || definition.mcp === undefined) continue;
      const { tool, digest } = definition.mcp;
      const seen = digestIn(after, tool);
      const standing = standingOf(seen, digest);
      if (standing === 'accepted' || (before.lookedAt !== null && digestIn(before, tool) === seen)) continue;
      await this.audit.record(tx, {
        action: 'tool.definition_changed',
        actor: actorOf({ kind: 'system', tenantId: tx.tenantId, name: 'mcp-look' }),
        level: 'full',
        subject: { type: 'tool', id: name },
        payload: { server: server.name, environment: server.environment, tool, standing },
        digests: { accepted_digest: digest, seen_digest: seen ?? null },
      });
    }
  }
}

/** The digest of a tool that a look saw. Undefined if it saw none, or more than one of the name. */
export function digestIn({ tools }: McpLook, tool: string): string | null | undefined {
  const named = tools.filter((each) => each.tool === tool);
  return named.length === 1 ? named[0]?.digest : undefined;
}
