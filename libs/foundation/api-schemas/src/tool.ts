import { z } from 'zod';
import {
  digestSchema,
  executorNameSchema,
  executorSettingsSchema,
  TOOL_LEVELS,
  toolDefinitionSchema,
  toolNameSchema,
} from '#lib/formats';
import { appliedAloneShape } from './change-request.js';

/** One version of a tool, as the API shows it. */
const toolViewSchema = z
  .object({
    id: z.string(),
    name: toolNameSchema,
    version: z.int(),
    digest: digestSchema,
    level: z.enum(TOOL_LEVELS).meta({ description: 'Derived from risk, effect, surface and scope.' }),
    definition: toolDefinitionSchema,
    created_at: z.string(),
    created_by: z.string(),
  })
  .meta({ id: 'Tool' });
export type ToolView = z.infer<typeof toolViewSchema>;

export const toolListSchema = z.object({ tools: z.array(toolViewSchema) }).meta({ id: 'ToolList' });

export const toolHistorySchema = z
  .object({ name: toolNameSchema, removed: z.boolean(), versions: z.array(toolViewSchema) })
  .meta({ id: 'ToolHistory', description: 'Newest first.' });

const toolWarningSchema = z.object({
  pointer: z.string(),
  code: z.string(),
  message: z.string(),
  suggestion: z.string().optional(),
});

/** The changes that a catalog would make, or has made. */
export const toolChangePlanSchema = z
  .object({
    dry_run: z.boolean(),
    changes: z.array(
      z.object({
        name: toolNameSchema,
        change: z.enum(['create', 'update', 'remove', 'unchanged']),
        from_version: z.int().nullable(),
        to_version: z.int().nullable(),
        fields: z.array(z.string()).meta({ description: 'The keys that differ.' }),
        loosens: z.array(z.string()).meta({ description: 'In words, the guardrails that this loosens.' }),
        live_plans: z
          .array(z.string())
          .meta({ description: 'Plans that hold it now; a change voids their approvals.' }),
      }),
    ),
    warnings: z.array(toolWarningSchema),
    ...appliedAloneShape,
  })
  .meta({ id: 'ToolChangePlan' });
export type ToolChangePlan = z.infer<typeof toolChangePlanSchema>;

export const executorViewSchema = z
  .object({
    id: z.string(),
    environment: z.string(),
    name: executorNameSchema,
    kind: z.string(),
    destination: z.string().meta({ description: 'The destination of its calls, in words.' }),
    url: z.string().nullable(),
    audience: z.string(),
    shared_audience: z.boolean(),
    secret: z.string().nullable(),
    settings: executorSettingsSchema.meta({ description: 'The other settings of its kind.' }),
    version: z.int(),
    digest: digestSchema,
    updated_at: z.string(),
    ...appliedAloneShape,
  })
  .meta({ id: 'Executor' });
export type ExecutorView = z.infer<typeof executorViewSchema>;

export const executorListSchema = z.object({ executors: z.array(executorViewSchema) }).meta({ id: 'ExecutorList' });

/** The JSON Schema of the settings of a kind: one flat object. */
export const executorKindSettingsSchema = z.looseObject({
  properties: z.record(
    z.string(),
    z.looseObject({ type: z.string().optional(), title: z.string().optional(), description: z.string().optional() }),
  ),
  required: z.array(z.string()).default([]),
});

const executorKindSchema = z
  .object({
    kind: z.string(),
    title: z.string().meta({ description: 'One line for people who choose a kind.' }),
    answered_by: z.enum(['executor', 'agent']).meta({
      description: 'agent: the agent that submitted the plan carries the calls out, and reports.',
    }),
    settings: executorKindSettingsSchema.meta({
      description: 'JSON Schema of the members that a document of this kind has beside kind and audience.',
    }),
  })
  .meta({ id: 'ExecutorKind' });

export const executorKindListSchema = z.object({ items: z.array(executorKindSchema) }).meta({ id: 'ExecutorKindList' });

/** Whether to report the changes without making them. */
export const dryRunQuerySchema = z.strictObject({
  dry_run: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Answer the changes, and change nothing.' }),
});
export type DryRunQuery = z.infer<typeof dryRunQuerySchema>;
