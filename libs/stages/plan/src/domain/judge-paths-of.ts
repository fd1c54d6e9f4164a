import type { JsonObject } from '#lib/canonical';
import type { ExpandedPaths } from '#lib/formats';
import { judgePaths } from '#lib/shell-safety';
import { pathsOf, riskOfPaths, type ToolVersion } from '#lib/tool';

/**
 * The verdict on the paths that a call names, as a plan holds it (T52). It is made once: the approval binds it with the plan.
 *
 * @returns null for a tool whose definition names no path
 */
export function judgePathsOf({ definition }: ToolVersion, args: JsonObject, production: boolean): ExpandedPaths | null {
  const named = pathsOf({ definition }, args);
  if (definition.path_arguments === undefined || named === null) return null;
  const { tier, class: of } = judgePaths(named);
  const { reads, writes } = definition.path_arguments;
  const risk = riskOfPaths(definition.risk, { tier, class: of }, production);
  return { reads: [...reads], writes: [...writes], tier, class: of, risk };
}
