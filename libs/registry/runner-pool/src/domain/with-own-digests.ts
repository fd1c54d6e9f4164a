import type { AdvertisedMcpServer } from '#lib/formats';
import { readMcpDefinition } from '#lib/mcp-client';

/**
 * An advertised MCP server with the digests that Countersign makes of its definitions. A person accepts the definition
 * that they see, and no digest that a runner names beside it.
 */
export const withOwnDigests = ({ name, problem, tools }: AdvertisedMcpServer): AdvertisedMcpServer => ({
  name,
  problem,
  tools: tools.map((said): AdvertisedMcpServer['tools'][number] => {
    if (said.definition === null) return { ...said, digest: null };
    const read = readMcpDefinition(said.definition);
    // Zod's type of JSON has no readonly members.
    return { ...read, definition: read.definition as typeof said.definition };
  }),
});
