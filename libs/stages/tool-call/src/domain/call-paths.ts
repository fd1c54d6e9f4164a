import type { JsonObject } from '#lib/canonical';
import { judgePaths, type PathVerdict } from '#lib/shell-safety';
import { isWorse, pathsOf, type ToolVersion } from '#lib/tool';

/** The verdict on the paths that a call names; null for a tool that names none (T52). */
export function callPaths(tool: Pick<ToolVersion, 'definition'>, args: JsonObject): PathVerdict | null {
  const named = pathsOf(tool, args);
  return named === null ? null : judgePaths(named);
}

/** Judges the paths of a call again, just before it leaves. @returns false if the verdict is worse than the one it was decided on. */
export function pathsAsJudged(
  before: PathVerdict | null,
  tool: Pick<ToolVersion, 'definition'>,
  args: JsonObject,
): boolean {
  const now = callPaths(tool, args);
  return now === null || before === null ? now === before : !isWorse(now, before);
}
