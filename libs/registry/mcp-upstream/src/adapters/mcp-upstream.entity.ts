import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import { anyJsonObject, entity, json, jsonText, moment, nullable, text, uuid } from '#lib/database';
import type { McpDefinition } from '#lib/mcp-client';
import type { Digest } from '#lib/kernel';
import type { ExecutorId } from '#lib/tool';

const tools: z.ZodType<readonly McpDefinition[]> = z.array(
  z.strictObject({
    tool: z.string(),
    digest: z.custom<Digest | null>((digest) => digest === null || typeof digest === 'string'),
    definition: z.custom<JsonObject | null>((definition) => typeof definition === 'object'),
    problem: z.string().nullable(),
  }),
);

export const mcpLookEntity = entity(
  'mcp_look',
  { executorId: uuid<ExecutorId>() },
  { lookedAt: nullable(moment()), nextLookAt: moment(), problem: nullable(text()), tools: json(tools) },
);

export const mcpDefinitionEntity = entity(
  'mcp_definition',
  { digest: text() },
  { definition: jsonText(anyJsonObject), keptAt: moment() },
);
