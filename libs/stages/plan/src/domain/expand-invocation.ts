import type { Json, JsonObject } from '#lib/canonical';
import type { ExpandedInvocation } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import type { EnvironmentRecord } from '#lib/task';
import { isBoundTo, type SecretBinding } from '#lib/tenancy';
import {
  changesUnder,
  type ExecutorRecord,
  secretsOf,
  targetsOf,
  type ToolVersion,
  validateArguments,
} from '#lib/tool';
import { closest } from '#lib/words';
import type { ExpansionErrors } from './expansion-errors.js';
import { judgeLine } from './judge-line.js';
import { judgePathsOf } from './judge-paths-of.js';
import { type BatchValues, holdsString, substituteBatch } from './substitute-batch.js';

/** The means of calls: the tools that count now, and their executors in the plan's environment, by name. */
export interface ToolCatalog {
  readonly environment: EnvironmentRecord;
  readonly tools: ReadonlyMap<string, ToolVersion>;
  readonly executors: ReadonlyMap<string, ExecutorRecord>;
  /** The names to suggest for an unknown tool. */
  readonly toolNames: readonly string[];
  /** The existing secrets among those that the plan names, as `name@version`, with their bindings. */
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
  const line = judgeLine(tool.version, valid.value, catalog.environment.production);
  if (line?.expanded.ok === false) {
    const { code, message, action } = line.expanded.error;
    errors.add(
      `${pointer}/arguments${line.argument}`,
      code,
      message,
      action === undefined ? {} : { suggestion: action },
    );
    return undefined;
  }
  const shell = line?.expanded.value;
  const receiver = { environment: catalog.environment.name, executor: tool.executor.name };
  const use = { purpose: 'tool_arguments', ...receiver, tool: tool.version.name } as const;
  const unbound = secretsOf(valid.value).filter(
    ({ reference }) => !isBoundTo(catalog.secrets.get(reference) ?? null, use),
  );
  for (const secret of unbound) {
    // One answer for a secret that is not there and for one of another use. Agents do not read their names.
    errors.add(
      `${pointer}/arguments${secret.pointer}`,
      'plan.secret_not_bound',
      `${use.tool} may not be sent ${secret.reference} at the executor ${receiver.environment}/${receiver.executor}. There is no such secret, or it is not bound to this tool there.`,
      {
        suggestion: `A PlatformAdmin stores it or binds it. A binding takes the place of the one before, so name every tool and executor. Run countersign secret bind ${secret.reference.split('@')[0] ?? ''} --executor ${receiver.environment}/${receiver.executor} --tool ${use.tool}`,
      },
    );
  }
  if (unbound.length > 0) return undefined;
  const paths = judgePathsOf(tool.version, valid.value, catalog.environment.production);
  // A read of secrets counts as a change to policy, and still touches no target.
  const changes = changesUnder(shell?.risk ?? tool.version.definition.risk);
  const targets = targetsOf(tool.version, valid.value, catalog.environment.name, changes);
  const wrong = changes ? wrongTargets(catalog, { tool, arguments: concrete, targets }, values) : null;
  if (wrong !== null) {
    errors.take({ pointer: `${pointer}/arguments`, ...wrong });
    return undefined;
  }
  return {
    tool: { name: tool.version.name, version: tool.version.version, digest: tool.version.digest },
    executor: { name: tool.executor.name, digest: tool.executor.digest },
    // Zod's type of JSON has no readonly members.
    arguments: Object.fromEntries(Object.entries(valid.value)) as ExpandedInvocation['arguments'],
    arguments_digest: digestOf('arguments', valid.value),
    targets,
    // In a call without one of these, the format leaves the member out.
    ...(shell === undefined ? {} : { shell }),
    ...(paths === null ? {} : { paths }),
  };
}

/** The name under which a call is known that is aimed at the environment as a whole. */
export const wholeEnvironment = (environmentName: string): string => `environment:${environmentName}`;

/**
 * The reason why a call may not change these targets. It names the environment as a whole, or leaves its batch. Null if
 * it may.
 */
function wrongTargets(
  { environment }: ToolCatalog,
  call: { readonly tool: ResolvedTool; readonly arguments: Json; readonly targets: readonly string[] },
  values: BatchValues,
): { readonly code: string; readonly message: string; readonly suggestion?: string } | null {
  const whole = wholeEnvironment(environment.name);
  const { targets } = call;
  if (targets.length === 1 && targets[0] === whole) {
    const namesNone = call.tool.version.definition.identity_fields.length === 0;
    return namesNone || !holdsString(call.arguments, whole)
      ? null
      : {
          code: 'plan.reserved_target',
          message: `"${whole}" stands for the environment as a whole; a call does not name it.`,
        };
  }
  const inside = new Set(values.target === null ? values.targets : [values.target]);
  const outside = targets.filter((target) => !inside.has(target));
  return outside.length === 0
    ? null
    : {
        code: 'plan.target_outside_batch',
        message: `The call would touch ${outside.slice(0, 5).join(', ')}, outside its batch.`,
        suggestion:
          'Take the names from {"$batch":"targets"} or {"$batch":"target"}, and list them in the phase\'s targets.',
      };
}
