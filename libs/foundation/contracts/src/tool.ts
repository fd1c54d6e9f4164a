import { z } from 'zod';
import { appliedAloneShape } from './change-request.js';

export const TOOL_RISKS = ['read_only', 'plan_only', 'state_change_nonprod', 'state_change_prod'] as const;
export type ToolRisk = (typeof TOOL_RISKS)[number];

export const TOOL_SCOPES = ['asset', 'environment', 'organization'] as const;
export type ToolScope = (typeof TOOL_SCOPES)[number];

export const TOOL_EFFECTS = ['read', 'modify', 'destructive'] as const;
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

export const TOOL_SURFACES = ['asset', 'workspace', 'git', 'terminal', 'network', 'audio'] as const;
export type ToolSurface = (typeof TOOL_SURFACES)[number];

export const TOOL_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export type ToolLevel = (typeof TOOL_LEVELS)[number];

export const HITL_REQUIREMENTS = ['never', 'configurable', 'always'] as const;
export type HitlRequirement = (typeof HITL_REQUIREMENTS)[number];

export const EXECUTOR_KINDS = ['http', 'agent'] as const;
export type ExecutorKind = (typeof EXECUTOR_KINDS)[number];

/** A tool's name: `execute_rollout_prod`, or `mcp:<server>:<tool>`. */
export const toolNameSchema = z
  .string()
  .max(128)
  .regex(/^[a-zA-Z][a-zA-Z0-9_.:-]*$/, 'must start with a letter and hold only letters, digits and _ . : -')
  .meta({ examples: ['execute_rollout_prod'] });

/** An executor's name, the same in every environment that has one. */
export const executorNameSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 lower-case letters, digits, _ and -, and begin and end with a letter or digit',
  );

/** `name@version` of a tenant's secret; the value itself never stands in a document. */
export const secretReferenceSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}@[1-9][0-9]{0,8}$/,
    'must be name@version of a secret, for example fleet-token@1',
  );

const jsonPointerSchema = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(\/([^~/]|~0|~1)*)+$/, 'must be a JSON Pointer such as /targets');

const jsonSchemaSchema = z
  .record(z.string(), z.json())
  .meta({ description: 'JSON Schema 2020-12 of type object; linear-time patterns only, no remote or recursive $ref.' });

/**
 * A tool as a tenant writes it: ADR-009's keys, and what else it needs. Only `risk`, `idempotent`, `scope` and
 * `description` have to be there, so that ADR-009's own catalog is accepted as it stands; what is left out takes the
 * strictest reading (libs/registry/tool `completeDefinition`).
 */
export const toolDocumentSchema = z
  .strictObject({
    description: z.string().trim().min(1).max(2_000).meta({ description: 'One or two sentences for approvers.' }),
    risk: z.enum(TOOL_RISKS).meta({
      description:
        'read_only and plan_only change nothing; state_change_nonprod is denied in production; state_change_prod always takes a plan and people.',
    }),
    idempotent: z.boolean().meta({ description: 'Calling it again with the same arguments changes nothing more.' }),
    scope: z.enum(TOOL_SCOPES).meta({ description: 'How far one call reaches.' }),
    effect: z
      .enum(TOOL_EFFECTS)
      .optional()
      .meta({ description: 'read for a tool that changes nothing; a change is destructive if absent.' }),
    surface: z.enum(TOOL_SURFACES).optional().meta({ description: 'What it touches; asset if absent.' }),
    parameters: jsonSchemaSchema.optional().meta({
      description:
        'JSON Schema 2020-12 of the arguments, of type object; no arguments if absent. A writeOnly property takes a secret by reference.',
    }),
    result_schema: jsonSchemaSchema.optional().meta({ description: 'JSON Schema of the result; unchecked if absent.' }),
    requires_plan: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it runs as part of a plan alone; true for state changes if absent.' }),
    requires_hitl: z.enum(HITL_REQUIREMENTS).optional().meta({
      description: 'Whether people approve it; the risk decides if absent, and a production change is always approved.',
    }),
    simulated_by: toolNameSchema
      .nullable()
      .optional()
      .meta({ description: 'The plan_only tool that predicts what this one would do.' }),
    simulation: z.enum(['required', 'not_applicable']).optional().meta({
      description:
        'not_applicable: it is approved without a simulation. Only for an idempotent tool of effect modify and scope asset that names its assets in identity_fields; it loosens, and approvers see it.',
    }),
    simulation_secrets: z.boolean().optional().meta({
      description:
        'Its simulation is given the values of the secrets that the arguments name, before anybody approves. The secrets are bound to the simulating tool, too.',
    }),
    canary: z.boolean().optional().meta({ description: 'Can be done for a few targets first.' }),
    identity_fields: z.array(jsonPointerSchema).max(16).optional().meta({
      description: 'JSON Pointers into the arguments, to the names of what is touched: strings, or arrays of strings.',
    }),
    executor: executorNameSchema
      .optional()
      .meta({ description: 'The executor that carries it out, by its name; default if absent.' }),
    time_limit_seconds: z
      .int()
      .min(1)
      .max(3_600)
      .optional()
      .meta({ description: 'How long an answer is awaited; 30 if absent.' }),
  })
  .meta({ id: 'ToolDocument' });
export type ToolDocument = z.infer<typeof toolDocumentSchema>;

/** A tool with nothing left to be guessed: what a version holds, digests cover, and policies are given. */
export const toolDefinitionSchema = z
  .strictObject({
    name: toolNameSchema,
    description: z.string(),
    risk: z.enum(TOOL_RISKS),
    idempotent: z.boolean(),
    scope: z.enum(TOOL_SCOPES),
    effect: z.enum(TOOL_EFFECTS),
    surface: z.enum(TOOL_SURFACES),
    parameters: jsonSchemaSchema,
    result_schema: jsonSchemaSchema.optional(),
    requires_plan: z.boolean(),
    requires_hitl: z.enum(HITL_REQUIREMENTS),
    simulated_by: toolNameSchema.nullable(),
    simulation: z.enum(['required', 'not_applicable']),
    simulation_secrets: z
      .literal(true)
      .optional()
      .meta({ description: 'Left out: its simulation is given no secret.' }),
    canary: z.boolean(),
    identity_fields: z.array(jsonPointerSchema),
    executor: executorNameSchema,
    time_limit_seconds: z.int().min(1).max(3_600),
  })
  .meta({ id: 'ToolDefinition' });
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** Most tools one tenant may have. */
export const MAX_TOOLS = 1_000;

/** A whole catalog in ADR-009's format: `tools`, by name. What it leaves out is removed. */
export const toolCatalogSchema = z
  .strictObject({ tools: z.record(toolNameSchema, toolDocumentSchema).meta({ description: 'By name.' }) })
  .meta({ id: 'ToolCatalog' });
export type ToolCatalog = z.infer<typeof toolCatalogSchema>;

const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

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

/** What a catalog would change, or has changed. */
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
        loosens: z.array(z.string()).meta({ description: 'In words, what this would let agents do more freely.' }),
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

/** An executor as it is put. `kind` is checked by the registry, so that kinds to come are refused by name. */
export const executorDocumentSchema = z
  .strictObject({
    kind: z
      .string()
      .max(32)
      .meta({ description: 'http: a tool server. agent: agents execute by themselves, and report.' }),
    url: z.string().max(2_000).optional().meta({ description: 'Of the tool server, over https.' }),
    audience: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'The aud of grants; <name>.<environment> if left out, such as fleet.production.' }),
    shared_audience: z.boolean().optional().meta({
      description:
        'Lets executors of other environments have the same audience; each of them has to say so. A tool server of such an audience must check the environment of every grant.',
    }),
    secret: secretReferenceSchema.nullable().optional().meta({ description: 'The bearer token it is called with.' }),
  })
  .meta({ id: 'ExecutorDocument' });
export type ExecutorDocument = z.infer<typeof executorDocumentSchema>;

export const executorViewSchema = z
  .object({
    id: z.string(),
    environment: z.string(),
    name: executorNameSchema,
    kind: z.enum(EXECUTOR_KINDS),
    url: z.string().nullable(),
    audience: z.string(),
    shared_audience: z.boolean(),
    secret: z.string().nullable(),
    version: z.int(),
    digest: digestSchema,
    updated_at: z.string(),
    ...appliedAloneShape,
  })
  .meta({ id: 'Executor' });
export type ExecutorView = z.infer<typeof executorViewSchema>;

export const executorListSchema = z.object({ executors: z.array(executorViewSchema) }).meta({ id: 'ExecutorList' });

/** Whether only to say what would change. */
export const dryRunQuerySchema = z.strictObject({
  dry_run: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Say what would change, and change nothing.' }),
});
export type DryRunQuery = z.infer<typeof dryRunQuerySchema>;
