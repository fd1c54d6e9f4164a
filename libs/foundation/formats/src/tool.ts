import { z } from 'zod';
import { executorNameSchema, toolNameSchema } from './names.js';
import { digestSchema } from './primitives.js';

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

const jsonPointerSchema = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(\/([^~/]|~0|~1)*)+$/, 'must be a JSON Pointer such as /targets');

/** The shells that a command line can be meant for. `unknown` if nobody says: then it is judged as all of them at once. */
export const SHELLS = ['bash', 'sh', 'zsh', 'unknown'] as const;
export type ShellName = (typeof SHELLS)[number];

/** The risk classes of command lines, from least to most. */
export const SHELL_CLASSES = [
  'READ_ONLY',
  'BUILD_TEST',
  'WRITE',
  'NETWORK',
  'UNKNOWN',
  'DESTRUCTIVE',
  'ESCALATION',
] as const;

/**
 * The JSON Schema formats of parameters that are paths of a workspace. One is for a path that is read or written, the
 * other for a written one. They restrict nothing: `path_arguments` has the path judged.
 */
export const WORKSPACE_PATH_FORMATS = { any: 'workspace-path', written: 'workspace-path-written' } as const;

/** The classes of the paths that a call names. */
export const PATH_CLASSES = [
  'READ_ONLY',
  'WRITE',
  'UNKNOWN',
] as const satisfies readonly (typeof SHELL_CLASSES)[number][];

/** The paths that a call names: JSON Pointers into the arguments, to strings or arrays of strings. */
const pathPointersSchema = z.array(jsonPointerSchema).max(16);

/** The definition of a tool of an upstream MCP server that a person accepted. Calls leave for this definition alone (T54). */
const pinnedMcpToolSchema = z.strictObject({
  tool: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,100}$/, 'must be 1 to 100 letters, digits and _ . -')
    .meta({ description: 'Its name at the upstream server.' }),
  digest: digestSchema.meta({ description: 'Digest of the accepted definition.' }),
});

const jsonSchemaSchema = z
  .record(z.string(), z.json())
  .meta({ description: 'JSON Schema 2020-12 of type object; linear-time patterns only, no remote or recursive $ref.' });

/**
 * A tool as a tenant writes it: ADR-009's keys, and further ones. Only `risk`, `idempotent`, `scope` and
 * `description` have to be there, so that ADR-009's own catalog is accepted as it stands; an absent member takes the
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
    surface: z.enum(TOOL_SURFACES).optional().meta({ description: 'The surface that it touches; asset if absent.' }),
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
      .meta({ description: 'The plan_only tool that predicts the effect of this one.' }),
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
      description: 'JSON Pointers into the arguments, to the names of the targets: strings, or arrays of strings.',
    }),
    shell: z
      .strictObject({
        argument: jsonPointerSchema.meta({ description: 'JSON Pointer to the argument that is the command line.' }),
        shell: z
          .enum(SHELLS)
          .optional()
          .meta({ description: 'The shell that reads it; unknown if absent, which judges it as all of them at once.' }),
      })
      .optional()
      .meta({
        description:
          'The tool executes a command line: each call has the risk of its line, and Tier 3 is always denied. Only for a state change with the surface terminal.',
      }),
    path_arguments: z
      .strictObject({
        reads: pathPointersSchema.optional().meta({ description: 'The paths that a call reads.' }),
        writes: pathPointersSchema
          .optional()
          .meta({ description: 'The paths that it writes, deletes, or moves from or to. Only for a state change.' }),
      })
      .optional()
      .meta({
        description:
          'JSON Pointers into the arguments, to paths of a workspace: strings, or arrays of strings. Each call is judged by them, and one that reads secrets or writes code asks as its paths say.',
      }),
    mcp: pinnedMcpToolSchema.optional().meta({
      description:
        'The definition at the upstream MCP server that is its executor. Only for a tool named mcp:<server>:<tool>.',
    }),
    executor: executorNameSchema
      .optional()
      .meta({ description: 'The executor that carries it out, by its name; default if absent.' }),
    time_limit_seconds: z.int().min(1).max(3_600).optional().meta({
      description:
        'How many seconds an answer is awaited. If absent, 30 for a tool of the surface asset or network, and 15 for any other.',
    }),
  })
  .meta({ id: 'ToolDocument' });
export type ToolDocument = z.infer<typeof toolDocumentSchema>;

/** A tool with every member set: versions hold it, digests cover it, and policies read it. */
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
    shell: z
      .strictObject({ argument: jsonPointerSchema, shell: z.enum(SHELLS) })
      .optional()
      .meta({ description: 'Left out: it takes no command line.' }),
    path_arguments: z
      .strictObject({ reads: pathPointersSchema, writes: pathPointersSchema })
      .optional()
      .meta({ description: 'Left out: its calls are not judged by paths.' }),
    mcp: pinnedMcpToolSchema.optional().meta({ description: 'Left out: it is no tool of an MCP server.' }),
    executor: executorNameSchema,
    time_limit_seconds: z.int().min(1).max(3_600),
  })
  .meta({ id: 'ToolDefinition' });
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** Most tools one tenant may have. */
export const MAX_TOOLS = 1_000;

/** A whole catalog in ADR-009's format: `tools`, by name. A tool that it leaves out is removed. */
export const toolCatalogSchema = z
  .strictObject({ tools: z.record(toolNameSchema, toolDocumentSchema).meta({ description: 'By name.' }) })
  .meta({ id: 'ToolCatalog' });
export type ToolCatalog = z.infer<typeof toolCatalogSchema>;
