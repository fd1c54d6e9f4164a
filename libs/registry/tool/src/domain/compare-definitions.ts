import { canonicalJson, type Json } from '#lib/canonical';
import {
  HITL_REQUIREMENTS,
  TOOL_EFFECTS,
  TOOL_LEVELS,
  TOOL_RISKS,
  TOOL_SCOPES,
  type ToolDefinition,
} from '#lib/formats';
import { level } from './level.js';

/** The difference between two versions of a tool. */
export interface DefinitionChange {
  /** The keys that differ, in the order of the definition. */
  readonly fields: readonly string[];
  /** In words, the new freedoms of agents; empty for a change that only tightens or describes. */
  readonly loosens: readonly string[];
}

const keys = [
  'description',
  'risk',
  'idempotent',
  'scope',
  'effect',
  'surface',
  'parameters',
  'result_schema',
  'requires_plan',
  'requires_hitl',
  'simulated_by',
  'simulation',
  'simulation_secrets',
  'canary',
  'identity_fields',
  'shell',
  'path_arguments',
  'mcp',
  'executor',
  'time_limit_seconds',
] as const satisfies readonly (keyof ToolDefinition)[];

/** In words, the new freedom of a tool that goes without a simulation. */
export const NOT_SIMULATED = 'it is approved and executed without a simulation';

/** In words, the new freedom of a tool with `simulation_secrets`. */
export const SIMULATED_WITH_SECRETS = 'its simulation is given secrets, before anybody approves';

/** Words that describe a schema and allow nothing. */
const annotations: ReadonlySet<string> = new Set(['title', 'description', 'examples', '$comment']);
/** Below these, keys are names that the schema's author chose, and not keywords. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

function withoutAnnotations(schema: Json, keysAreNames = false): Json {
  if (Array.isArray(schema)) {
    const items: readonly Json[] = schema;
    return items.map((item) => withoutAnnotations(item));
  }
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => keysAreNames || !annotations.has(key))
      .map(([key, value]) => [key, withoutAnnotations(value, !keysAreNames && named.has(key))]),
  );
}

const same = (a: unknown, b: unknown): boolean =>
  // Both are members of definitions, which are JSON.
  canonicalJson((a ?? null) as Json) === canonicalJson((b ?? null) as Json);

/**
 * Compares two versions. A change that may allow more counts as loosening: other parameters, other identity fields,
 * another predictor.
 */
export function compareDefinitions(before: ToolDefinition, after: ToolDefinition): DefinitionChange {
  const fields = keys.filter((key) => !same(before[key], after[key]));
  const loosens: string[] = [];
  const lowered = (key: string, order: readonly string[], from: string, to: string): void => {
    if (order.indexOf(to) < order.indexOf(from)) loosens.push(`${key} goes down from ${from} to ${to}`);
  };
  lowered('risk', TOOL_RISKS, before.risk, after.risk);
  lowered('effect', TOOL_EFFECTS, before.effect, after.effect);
  lowered('scope', TOOL_SCOPES, before.scope, after.scope);
  lowered('requires_hitl', HITL_REQUIREMENTS, before.requires_hitl, after.requires_hitl);
  lowered('level', TOOL_LEVELS, level(before), level(after));
  if (before.requires_plan && !after.requires_plan) loosens.push('it no longer needs a plan');
  if (before.simulation === 'required' && after.simulation === 'not_applicable') loosens.push(NOT_SIMULATED);
  if (before.simulation_secrets !== true && after.simulation_secrets === true) loosens.push(SIMULATED_WITH_SECRETS);
  if (before.simulated_by !== after.simulated_by) loosens.push('another tool predicts what it does');
  if (!before.canary && after.canary) loosens.push('it may run where only canaries may');
  if (!before.idempotent && after.idempotent) loosens.push('it may be retried');
  if (before.executor !== after.executor) loosens.push('another executor carries it out');
  if (!same(before.identity_fields, after.identity_fields)) loosens.push('what it touches is read from other fields');
  if (!same(before.shell, after.shell)) loosens.push('its command line is judged in another way');
  if (!same(before.mcp, after.mcp)) loosens.push('another definition of its MCP server is accepted');
  const unjudged = unjudgedPaths(before, after);
  if (unjudged.length > 0) loosens.push(`${unjudged.join(', ')} is no longer judged as a path`);
  if (!same(withoutAnnotations(before.parameters), withoutAnnotations(after.parameters))) {
    loosens.push('other arguments are accepted');
  }
  return { fields, loosens };
}

/** The pointers that were judged as a kind of path, and no longer are. */
function unjudgedPaths(
  { path_arguments: before }: ToolDefinition,
  { path_arguments: after }: ToolDefinition,
): string[] {
  const [reads, writes] = [after?.reads ?? [], after?.writes ?? []];
  return [
    // A write is judged at least as strictly as a read.
    ...(before?.reads ?? []).filter((pointer) => !reads.includes(pointer) && !writes.includes(pointer)),
    ...(before?.writes ?? []).filter((pointer) => !writes.includes(pointer)),
  ];
}
