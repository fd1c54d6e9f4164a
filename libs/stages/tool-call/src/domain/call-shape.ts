import { canonicalJson, type JsonObject } from '#lib/canonical';
import { shapeOf } from '#lib/shell-safety';
import { commandLineOf, identityOf, type ToolVersion } from '#lib/tool';

/**
 * The shape of a call, as canonical JSON: an "always" covers later calls of the same one. Of a command line its program, subcommand
 * and flags; of any other call the values at the tool's identity fields.
 *
 * @returns null for a call that no later one can be compared with: each of them is asked about
 */
export function callShape(tool: ToolVersion, args: JsonObject): string | null {
  const line = commandLineOf(tool, args);
  const shape = line === null ? identityOf(tool, args) : shapeOf(line.text, line.dialect);
  return shape === null ? null : canonicalJson({ ...shape });
}
