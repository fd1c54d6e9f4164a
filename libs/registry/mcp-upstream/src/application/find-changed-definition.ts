import type { Failure, Tx } from '#lib/kernel';
import type { ToolVersion } from '#lib/tool';
import { standingOf } from '../domain/tool-standing.js';
import { digestIn } from './look-at-server.js';
import type { McpLooks } from './mcp-upstream.ports.js';

/**
 * Whether the last look at an MCP server saw another definition of a tool than a person accepted (T54). Nobody is asked about a call of
 * such a tool: it would be refused once they had answered. A server that was never looked at counts as unchanged, since each call reads
 * the definition again.
 */
export class FindChangedDefinition {
  constructor(private readonly looks: Pick<McpLooks, 'named'>) {}

  /** @returns `mcp.definition_changed` for the first tool that is not as it was accepted; null if there is none. */
  async execute(
    tx: Tx,
    environment: string,
    tools: Iterable<Pick<ToolVersion, 'name' | 'definition'>>,
  ): Promise<Failure | null> {
    for (const { name, definition } of tools) {
      const { mcp, executor } = definition;
      if (mcp === undefined) continue;
      const found = await this.looks.named(tx, environment, executor);
      if (found?.look.lookedAt == null) continue;
      if (standingOf(digestIn(found.look, mcp.tool), mcp.digest) !== 'accepted') return changed(name, executor);
    }
    return null;
  }
}

const changed = (tool: string, server: string): Failure => ({
  kind: 'conflict',
  code: 'mcp.definition_changed',
  message: `The MCP server ${server} no longer defines ${tool} as it was accepted, so that nobody is asked about it.`,
  action: `Have an admin compare the definitions (countersign mcp-server show), and accept the new one if it is right.`,
});
