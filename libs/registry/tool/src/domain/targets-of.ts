import type { JsonObject } from '#lib/canonical';
import type { ToolVersion } from './tool-version.js';
import { changesUnder } from './judged-facts.js';
import { stringsAt } from './json-pointer.js';

/** True for a tool that can change something. */
export const changesState = (tool: Pick<ToolVersion, 'definition'>): boolean => changesUnder(tool.definition.risk);

/**
 * The distinct names of the targets of a call, from the tool's identity fields, in the order of the arguments. A state
 * change that names nothing touches the environment as a whole: `environment:<name>`.
 *
 * @param changes whether this call changes state: as its tool, or as the verdict on its command line says.
 */
export function targetsOf(
  tool: ToolVersion,
  args: JsonObject,
  environmentName: string,
  changes = changesState(tool),
): string[] {
  const named = tool.definition.identity_fields.flatMap((pointer) => stringsAt(args, pointer));
  const distinct = [...new Set(named)];
  return distinct.length === 0 && changes ? [`environment:${environmentName}`] : distinct;
}
