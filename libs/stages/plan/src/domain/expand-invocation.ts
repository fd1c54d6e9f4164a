import type { Json, JsonObject } from '#lib/canonical';
import type { ExpandedInvocation } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { classifyCommand } from '#lib/shell-safety';
import type { EnvironmentRecord } from '#lib/task';
import { isBoundTo, type SecretBinding } from '#lib/tenancy';
import {
  changesState,
  commandLineOf,
  type ExecutorRecord,
  secretsOf,
  targetsOf,
  type ToolVersion,
  validateArguments,
} from '#lib/tool';
import { closest } from '#lib/words';
import type { ExpansionErrors } from './expansion-errors.js';
import { type BatchValues, holdsString, substituteBatch } from './substitute-batch.js';

/** The means of calls: the tools that count now, and their executors in the plan's environment, by name. */
export interface ToolCatalog {
  readonly environment: EnvironmentRecord;
  readonly tools: ReadonlyMap<string, ToolVersion>;
  readonly executors: ReadonlyMap<string, ExecutorRecord>;
  /** Names of tools that a name that is none may have meant. */
  readonly toolNames: readonly string[];
  /** Those of the secrets that the plan names which there are, as `name@version`, with their bindings. */
  readonly secrets: ReadonlyMap<string, SecretBinding | null>;
}

/** A tool with its executor, once both are known to be there. */
export interface ResolvedTool {
  readonly version: ToolVersion;
  readonly executor: ExecutorRecord;
}

/** The tool and its executor, or undefined with the reason among the errors. */
export function resolveTool(
  catalog: ToolCatalog,
  name: string,
  pointer: string,
  errors: ExpansionErrors,
): ResolvedTool | undefined {
  const version = catalog.tools.get(name);
  if (version === undefined) {
    const meant = closest(name, catalog.toolNames);
    errors.add(
      `${pointer}/tool`,
      'plan.unknown_tool',
      `There is no tool "${name}".`,
      meant === undefined ? {} : { suggestion: meant },
    );
    return undefined;
  }
  const executor = catalog.executors.get(version.definition.executor);
  if (executor === undefined) {
    errors.add(
      `${pointer}/tool`,
      'plan.no_executor',
      `Nothing executes "${name}" in ${catalog.environment.name}: the executor "${version.definition.executor}" has no address there.`,
    );
    return undefined;
  }
  return { version, executor };
}

/**
 * One concrete call, or undefined with its mistakes among the errors. A state change must stay within the batch, unless
 * it is aimed at the environment as a whole.
 */
export function expandInvocation(
  catalog: ToolCatalog,
  tool: ResolvedTool,
  args: JsonObject,
  values: BatchValues,
  pointer: string,
  errors: ExpansionErrors,
): ExpandedInvocation | undefined {
  const concrete = substituteBatch(args, values);
  const valid = validateArguments(tool.version, concrete);
  if (!valid.ok) {
    for (const error of valid.error.errors ?? [])
      errors.take({ ...error, pointer: `${pointer}/arguments${error.pointer}` });
    return undefined;
  }
  if (holdsDeniedLine(tool.version, valid.value, `${pointer}/arguments`, errors)) return undefined;
  const place = { environment: catalog.environment.name, executor: tool.executor.name };
  const use = { purpose: 'tool_arguments', ...place, tool: tool.version.name } as const;
  const unbound = secretsOf(valid.value).filter(
    ({ reference }) => !isBoundTo(catalog.secrets.get(reference) ?? null, use),
  );
  for (const secret of unbound) {
    // One answer for a secret that is not there and for one that is for something else: agents do not read their names.
    errors.add(
      `${pointer}/arguments${secret.pointer}`,
      'plan.secret_not_bound',
      `${use.tool} may not be sent ${secret.reference} at the executor ${place.environment}/${place.executor}: there is no such secret, or it is not bound to this tool there.`,
      {
        suggestion: `A PlatformAdmin stores it or binds it, and names all that it is for, since a binding takes the place of the one before: countersign secret bind ${secret.reference.split('@')[0] ?? ''} --executor ${place.environment}/${place.executor} --tool ${use.tool}`,
      },
    );
  }
  if (unbound.length > 0) return undefined;
  const targets = targetsOf(tool.version, valid.value, catalog.environment.name);
  if (changesState(tool.version) && !staysInside(catalog, tool, concrete, targets, values, pointer, errors))
    return undefined;
  return {
    tool: { name: tool.version.name, version: tool.version.version, digest: tool.version.digest },
    executor: { name: tool.executor.name, digest: tool.executor.digest },
    arguments: Object.fromEntries(Object.entries(valid.value)) as ExpandedInvocation['arguments'],
    arguments_digest: digestOf('arguments', valid.value),
    targets,
  };
}

/** True for a command line of Tier 3, with its reasons among the errors: nobody is asked about one, so a plan never holds it (ADR-007). */
function holdsDeniedLine(tool: ToolVersion, args: JsonObject, at: string, errors: ExpansionErrors): boolean {
  const line = commandLineOf(tool, args);
  if (line === null) return false;
  const { parts } = classifyCommand(line.text, line.dialect);
  const denied = parts.filter(({ tier }) => tier === 3).flatMap(({ reasons }) => reasons);
  const suggestion = 'Leave this part of the line out: Tier 3 is always denied, and no approval lifts it.';
  for (const { code, message } of denied) errors.add(`${at}${line.pointer}`, code, message, { suggestion });
  return denied.length > 0;
}

/** The name under which a call is known that is aimed at the environment as a whole. */
export const wholeEnvironment = (environmentName: string): string => `environment:${environmentName}`;

function staysInside(
  { environment }: ToolCatalog,
  tool: ResolvedTool,
  args: Json,
  targets: readonly string[],
  values: BatchValues,
  pointer: string,
  errors: ExpansionErrors,
): boolean {
  const whole = wholeEnvironment(environment.name);
  if (targets.length === 1 && targets[0] === whole) {
    if (tool.version.definition.identity_fields.length === 0 || !holdsString(args, whole)) return true;
    errors.add(
      `${pointer}/arguments`,
      'plan.reserved_target',
      `"${whole}" stands for the environment as a whole; a call does not name it.`,
    );
    return false;
  }
  const inside = new Set(values.target === null ? values.targets : [values.target]);
  const outside = targets.filter((target) => !inside.has(target));
  if (outside.length === 0) return true;
  errors.add(
    `${pointer}/arguments`,
    'plan.target_outside_batch',
    `The call would touch ${outside.slice(0, 5).join(', ')}, outside its batch.`,
    {
      suggestion:
        'Take the names from {"$batch":"targets"} or {"$batch":"target"}, and list them in the phase\'s targets.',
    },
  );
  return false;
}
