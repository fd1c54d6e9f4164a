import type { JsonObject } from '#lib/canonical';
import { digestOf, type Digest, type FieldError } from '#lib/kernel';
import type { EnvironmentFacts } from '#lib/policy-inputs';
import { judgeLine } from '#lib/plan';
import type { PathVerdict } from '#lib/shell-safety';
import { validateArguments, type ToolVersion } from '#lib/tool';
import { callLine, notExecutable, type CallLine } from '../domain/call-line.js';
import { callPaths } from '../domain/call-paths.js';
import type { MissingFact } from '../domain/unjudged-call.js';
import type { CallFacts } from './call-facts.port.js';

/** A call with every fact that the policies need of it. */
export interface KnownCall {
  readonly tool: ToolVersion;
  readonly environment: EnvironmentFacts;
  /** As the tool's schema reads them. */
  readonly arguments: JsonObject;
  readonly argumentsDigest: Digest;
  readonly shell: CallLine | null;
  /** The reason why the executor could not execute the line; null if nothing stands against it. */
  readonly notExecutable: string | null;
  readonly paths: PathVerdict | null;
}

/** A fact that is missing to put a call to the policies. */
export interface UnknownCall {
  readonly missing: MissingFact;
  /** The arguments that are wrong. */
  readonly errors: readonly FieldError[];
}

/** Reads a call by the facts that decide about it: its tool, environment, arguments, command line and paths. */
export function knownCall(
  given: JsonObject,
  { tool, executor, environment }: Pick<CallFacts, 'tool' | 'executor' | 'environment'>,
): KnownCall | UnknownCall {
  if (tool === null) return { missing: 'policy.unknown_tool', errors: [] };
  if (environment === null) return { missing: 'policy.unknown_environment', errors: [] };
  const args = validateArguments(tool, given);
  if (!args.ok) return { missing: 'policy.invalid_arguments', errors: args.error.errors ?? [] };
  const line = judgeLine(tool, args.value, environment.production);
  return {
    tool,
    environment,
    arguments: args.value,
    argumentsDigest: digestOf('arguments', args.value),
    shell: line === null ? null : callLine(line),
    // Only a grant needs the tree: a call without an executor is the agent's own, and gets none.
    notExecutable: executor === null ? null : notExecutable(line),
    paths: callPaths(tool, args.value),
  };
}
