import type { JsonObject } from '#lib/canonical';
import { judgePaths, shapeOf } from '#lib/shell-safety';
import { commandLineOf, identityOf, liftsRisk, pathsOf, type ToolVersion } from '#lib/tool';

/**
 * The shape of a call: an "always" covers later calls of the same one. Of a command line its program, subcommand
 * and flags; of any other call the values at the tool's identity fields. A call on paths of code or secrets has none (T52): an answer about
 * an ordinary write never covers it.
 *
 * @returns null for a call that no later one can be compared with: each of them is asked about
 */
export function callShape(tool: ToolVersion, args: JsonObject): JsonObject | null {
  const line = commandLineOf(tool, args);
  const paths = pathsOf(tool, args);
  if (paths !== null && liftsRisk(judgePaths(paths))) return null;
  const shape = line === null ? identityOf(tool, args) : shapeOf(line.text, line.shell);
  return shape === null ? null : { ...shape };
}
