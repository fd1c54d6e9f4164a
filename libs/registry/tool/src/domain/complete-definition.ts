import { isJsonObject, type Json } from '#lib/canonical';
import { toolDefinitionSchema, type ToolDefinition, type ToolDocument, type ToolSurface } from '#lib/formats';
import { err, ok, type FieldError, type Result } from '#lib/kernel';
import { checkParameterSchema } from './check-parameter-schema.js';
import { declaresNames } from './declared-names.js';
import { pathErrors } from './path-errors.js';
import { shellErrors } from './shell-errors.js';
import { compileParameters } from './validate-arguments.js';

const noParameters = (): ToolDefinition['parameters'] => ({
  type: 'object',
  properties: {},
  additionalProperties: false,
});

const HITL_BY_RISK = {
  read_only: ['never'],
  plan_only: ['never'],
  state_change_nonprod: ['configurable', 'always'],
  state_change_prod: ['always'],
} as const;

/** 15 s for a tool of an editor, 30 s for the network. The 120 s of a test run are its own. */
const SECONDS_BY_SURFACE = {
  asset: 30,
  network: 30,
  workspace: 15,
  git: 15,
  terminal: 15,
  audio: 15,
} as const satisfies Readonly<Record<ToolSurface, number>>;

/**
 * Completes and checks a tenant's document. An absent member takes the strictest reading: a state change is destructive,
 * needs a plan, cannot be canaried. A member that contradicts the taxonomy (ADR-009) is refused.
 *
 * @param at the pointer of the tool in the submitted document.
 */
export function completeDefinition(
  name: string,
  document: ToolDocument,
  at: string,
): Result<ToolDefinition, readonly FieldError[]> {
  const change = document.risk === 'state_change_nonprod' || document.risk === 'state_change_prod';
  const [defaultHitl] = HITL_BY_RISK[document.risk];
  const declared = {
    name,
    description: document.description,
    risk: document.risk,
    idempotent: document.idempotent,
    scope: document.scope,
    effect: document.effect ?? (change ? 'destructive' : 'read'),
    surface: document.surface ?? 'asset',
    parameters: document.parameters ?? noParameters(),
    ...(document.result_schema === undefined ? {} : { result_schema: document.result_schema }),
    requires_plan: document.requires_plan ?? change,
    requires_hitl: document.requires_hitl ?? defaultHitl,
    simulated_by: document.simulated_by ?? null,
    // The format has it only if it is so.
    ...(document.simulation_secrets === true ? { simulation_secrets: true as const } : {}),
    canary: document.canary ?? false,
    identity_fields: document.identity_fields ?? [],
    // The format lacks it in a definition without one.
    ...(document.shell === undefined
      ? {}
      : { shell: { argument: document.shell.argument, shell: document.shell.shell ?? 'unknown' } }),
    ...completedPaths(document),
    ...(document.mcp === undefined ? {} : { mcp: document.mcp }),
    executor: document.executor ?? 'default',
    time_limit_seconds: document.time_limit_seconds ?? SECONDS_BY_SURFACE[document.surface ?? 'asset'],
  };
  const definition: ToolDefinition = {
    ...declared,
    simulation: change && document.simulation !== 'not_applicable' ? 'required' : 'not_applicable',
  };
  const errors = [
    ...contradictions(definition, document, at),
    ...schemaErrors(definition, at),
    ...identityErrors(definition, at),
    ...shellErrors(definition, at),
    ...pathErrors(definition, at),
    ...mcpErrors(definition, at),
  ];
  if (errors.length > 0) return err(errors);
  // Parsing once more removes every member that the contract does not name.
  return ok(toolDefinitionSchema.parse(definition));
}

/** A name of the form mcp:<server>:<tool> is for the tool of that server alone, and its definition there is pinned. */
function mcpErrors({ name, executor, mcp }: ToolDefinition, at: string): FieldError[] {
  const named = mcp === undefined ? null : `mcp:${executor}:${mcp.tool}`;
  if (named === name || (named === null && !name.startsWith('mcp:'))) return [];
  return [
    {
      pointer: `${at}/mcp`,
      code: 'tool.mcp_name',
      message:
        named === null
          ? `${name} is the name of a tool of an MCP server, and its definition there is not accepted.`
          : `A tool of the MCP server ${executor} has the name ${named}.`,
      suggestion: named ?? 'countersign mcp-server accept',
    },
  ];
}

/** The format lacks them in a definition that names no path. */
function completedPaths({ path_arguments: paths }: ToolDocument): Pick<ToolDefinition, 'path_arguments'> {
  const { reads = [], writes = [] } = paths ?? {};
  return reads.length + writes.length === 0 ? {} : { path_arguments: { reads, writes } };
}

function contradictions(tool: ToolDefinition, document: ToolDocument, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (key: string, code: string, message: string, suggestion?: string): void => {
    errors.push({ pointer: `${at}/${key}`, code, message, ...(suggestion === undefined ? {} : { suggestion }) });
  };
  const change = tool.risk === 'state_change_nonprod' || tool.risk === 'state_change_prod';
  if (change === (tool.effect === 'read')) {
    refuse(
      'effect',
      'tool.effect_contradicts_risk',
      change ? 'A state change has the effect modify or destructive.' : `A ${tool.risk} tool has the effect read.`,
      change ? 'modify' : 'read',
    );
  }
  const allowed: readonly string[] = HITL_BY_RISK[tool.risk];
  if (!allowed.includes(tool.requires_hitl)) {
    refuse(
      'requires_hitl',
      'tool.hitl_contradicts_risk',
      `For a ${tool.risk} tool, requires_hitl is ${allowed.join(' or ')}.`,
      allowed[0],
    );
  }
  if (tool.risk === 'state_change_prod' && !tool.requires_plan) {
    refuse('requires_plan', 'tool.plan_contradicts_risk', 'A production state change always needs a plan.', 'true');
  }
  if (change && tool.simulation === 'not_applicable') {
    const beyond = beyondExemption(tool);
    if (beyond.length > 0) {
      refuse(
        'simulation',
        'tool.simulation_needed',
        `A tool needs no simulation only if it changes single assets that it names. Outside a workspace it must also modify them and be repeatable: ${beyond.join(', ')}.`,
        'required',
      );
    }
  }
  if (!change && document.simulation === 'required') {
    refuse(
      'simulation',
      'tool.nothing_to_simulate',
      `A ${tool.risk} tool changes nothing, so that there is nothing to simulate.`,
      'not_applicable',
    );
  }
  if (!change && tool.simulated_by !== null) {
    refuse(
      'simulated_by',
      'tool.nothing_to_simulate',
      `A ${tool.risk} tool changes nothing, so that there is nothing to simulate.`,
    );
  }
  if (tool.simulation_secrets === true && tool.simulated_by === null) {
    refuse(
      'simulation_secrets',
      'tool.nothing_to_simulate',
      'No tool simulates it that could be given secrets.',
      'false',
    );
  }
  if (tool.simulated_by === tool.name)
    refuse('simulated_by', 'tool.simulates_itself', 'A tool cannot simulate itself.');
  if (tool.canary && tool.identity_fields.length === 0) {
    refuse(
      'canary',
      'tool.canary_without_targets',
      'A tool that can be canaried names its targets with identity_fields.',
      'false',
    );
  }
  return errors;
}

/** A folder that an agent works in: its files, its repository, and what its scripts change. */
const IN_WORKSPACE: readonly ToolDefinition['surface'][] = ['workspace', 'git', 'terminal'];

/**
 * The reasons that keep a state change from going without a simulation. The bounds are the platform's, for every tool
 * alike: a tool that destroys, reaches further than the assets it names, or cannot be repeated is predicted first.
 * Outside production the snapshot of a workspace takes the place of a prediction. So does the verdict on a command
 * line.
 */
const beyondExemption = (tool: ToolDefinition): readonly string[] => [
  ...(tool.shell !== undefined && tool.risk === 'state_change_nonprod' ? [] : beyondBounds(tool)),
  ...(tool.simulated_by === null ? [] : [`${tool.simulated_by} simulates it`]),
];

const beyondBounds = (tool: ToolDefinition): readonly string[] => [
  ...(tool.risk === 'state_change_nonprod' && IN_WORKSPACE.includes(tool.surface) ? [] : withoutWayBack(tool)),
  ...(tool.scope === 'asset' ? [] : [`its scope is ${tool.scope}`]),
  ...(tool.identity_fields.length > 0 ? [] : ['identity_fields name nothing']),
];

const withoutWayBack = (tool: ToolDefinition): readonly string[] => [
  ...(tool.effect === 'modify' ? [] : [`its effect is ${tool.effect}`]),
  ...(tool.idempotent ? [] : ['it is not idempotent']),
];

function schemaErrors(tool: ToolDefinition, at: string): FieldError[] {
  const schemas: readonly (readonly [string, Json | undefined])[] = [
    ['parameters', tool.parameters],
    ['result_schema', tool.result_schema],
  ];
  return schemas.flatMap(([key, schema]) => {
    if (!isJsonObject(schema)) return [];
    const unsafe = checkParameterSchema(schema, `${at}/${key}`);
    if (unsafe.length > 0) return unsafe;
    try {
      compileParameters(schema);
      return [];
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : 'unknown problem';
      return [
        {
          pointer: `${at}/${key}`,
          code: 'tool.invalid_schema',
          message: `Not a JSON Schema (2020-12, strict): ${message}.`,
        },
      ];
    }
  });
}

/** Every identity field leads through declared properties to a string or an array of strings. */
function identityErrors(tool: ToolDefinition, at: string): FieldError[] {
  return tool.identity_fields.flatMap((pointer, index) => {
    if (declaresNames(tool.parameters, pointer)) return [];
    return [
      {
        pointer: `${at}/identity_fields/${String(index)}`,
        code: 'tool.identity_field_not_a_name',
        message: `${pointer} is not declared in parameters as a string or an array of strings.`,
      },
    ];
  });
}
