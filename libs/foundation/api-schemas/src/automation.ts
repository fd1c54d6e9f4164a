import { z } from 'zod';
import {
  environmentNameSchema,
  TOOL_RISKS,
  timestampSchema,
  TOOL_EFFECTS,
  toolNameSchema,
  uuidSchema,
} from '#lib/formats';
import { appliedAloneShape } from './change-request.js';

const reasonSchema = z.object({ code: z.string(), message: z.string() });

export const safeToolsQuerySchema = z.strictObject({
  environment: environmentNameSchema.meta({ description: 'The environment that the calls are aimed at.' }),
});
export type SafeToolsQuery = z.infer<typeof safeToolsQuerySchema>;

const tieredToolSchema = z
  .object({
    tool: toolNameSchema,
    version: z.int().min(1),
    tier: z.enum(TOOL_EFFECTS).meta({ description: 'Its effect: read, modify or destructive.' }),
    risk: z.enum(TOOL_RISKS),
    safe: z.boolean().meta({ description: 'Whether an automation may call it there now.' }),
    reasons: z.array(reasonSchema).meta({ description: 'Why it is blocked; empty if it is safe.' }),
  })
  .meta({ id: 'TieredTool' });

export const safeToolsSchema = z
  .object({ environment: z.string(), items: z.array(tieredToolSchema) })
  .meta({ id: 'SafeTools' });
export type SafeToolsView = z.infer<typeof safeToolsSchema>;

export const safeListEntrySchema = z
  .object({
    id: uuidSchema,
    tool: toolNameSchema,
    version: z.int().min(1),
    digest: z.string(),
    effect: z.enum(TOOL_EFFECTS),
    risk: z.enum(TOOL_RISKS),
    counts: z.boolean().meta({ description: 'False if the tool has another version since, or was removed.' }),
    added_by: uuidSchema,
    added_at: timestampSchema,
    ...appliedAloneShape,
  })
  .meta({ id: 'SafeListEntry' });
export type SafeListEntryView = z.infer<typeof safeListEntrySchema>;

export const safeListSchema = z.object({ items: z.array(safeListEntrySchema) }).meta({ id: 'SafeList' });

export const acceptToolSchema = z
  .strictObject({ version: z.int().min(1).meta({ description: 'The version that you looked at.' }) })
  .meta({ id: 'AcceptTool' });
export type AcceptToolBody = z.infer<typeof acceptToolSchema>;
