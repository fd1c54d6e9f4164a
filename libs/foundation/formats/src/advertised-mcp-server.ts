import { z } from 'zod';
import { executorNameSchema } from './names.js';
import { digestSchema } from './primitives.js';

/** Most MCP servers of one runner. */
export const MAX_MCP_SERVERS = 32;

const advertisedMcpToolSchema = z.strictObject({
  tool: z.string().max(100),
  digest: digestSchema.nullable(),
  definition: z.record(z.string(), z.json()).nullable(),
  problem: z.string().max(300).nullable(),
});

/** An MCP server that the operator of a runner lists. Its program and its environment stay there. */
export const advertisedMcpServerSchema = z
  .strictObject({
    name: executorNameSchema.meta({ description: 'Its name in the configuration of the runner.' }),
    problem: z.string().min(1).max(300).nullable().meta({
      description: 'The reason why the runner cannot read its tools; null if it can.',
    }),
    tools: z.array(advertisedMcpToolSchema).max(200).meta({
      description: 'The definitions that it lists, or the bound that one breaks: the words of a stranger.',
    }),
  })
  .meta({ id: 'AdvertisedMcpServer' });
export type AdvertisedMcpServer = z.infer<typeof advertisedMcpServerSchema>;

/** The MCP servers of one runner. */
export const advertisedMcpServersSchema = z.array(advertisedMcpServerSchema).max(MAX_MCP_SERVERS);
