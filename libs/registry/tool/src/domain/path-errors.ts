import { isJsonObject, type Json } from '#lib/canonical';
import { WORKSPACE_PATH_FORMATS, type ToolDefinition } from '#lib/formats';
import type { FieldError } from '#lib/kernel';
import { declaresNames } from './declared-names.js';
import { escapePointer } from './json-pointer.js';
import { changesUnder } from './judged-facts.js';

/**
 * Checks the member `path_arguments` of a definition (T52). Its pointers lead to strings of the parameters that are no
 * secret. A tool that writes is a state change, and a command line is judged by itself. A parameter that says it is a
 * path is one of them. So the paths of a tool that is copied from a runner are judged.
 *
 * @param at the pointer of the tool in the submitted document.
 */
export function pathErrors(tool: ToolDefinition, at: string): FieldError[] {
  const { reads = [], writes = [] } = tool.path_arguments ?? {};
  const errors: FieldError[] = [];
  if (tool.path_arguments !== undefined && tool.shell !== undefined) {
    errors.push({
      pointer: `${at}/path_arguments`,
      code: 'tool.paths_beside_shell',
      message: 'A tool that takes a command line is judged by its line alone. Leave path_arguments out.',
    });
  }
  if (writes.length > 0 && !changesUnder(tool.risk)) {
    errors.push({
      pointer: `${at}/path_arguments/writes`,
      code: 'tool.paths_contradict_risk',
      message: `A ${tool.risk} tool changes nothing, so it writes no path.`,
      suggestion: 'state_change_nonprod',
    });
  }
  const kinds = { reads, writes };
  for (const [kind, pointers] of Object.entries(kinds)) {
    pointers.forEach((pointer, index) => {
      if (declaresNames(tool.parameters, pointer)) return;
      errors.push({
        pointer: `${at}/path_arguments/${kind}/${String(index)}`,
        code: 'tool.path_argument_not_a_path',
        message: `${pointer} is not declared in parameters as a string, or an array of strings, that is no secret.`,
      });
    });
  }
  for (const pointer of unjudgedPaths(tool.parameters, tool)) {
    errors.push({
      pointer: `${at}/path_arguments`,
      code: 'tool.paths_not_declared',
      message: `The parameters say that ${pointer} is a path of a workspace, and path_arguments does not name it so. Nobody would judge it.`,
      suggestion: `Name ${pointer} under reads, or under writes if it is written.`,
    });
  }
  return errors;
}

/**
 * Pointers to a schema's paths that a definition leaves unjudged, or has judged as read though they are written.
 *
 * @param parameters the schema of the definition itself, or that of the program that carries its calls out.
 */
export function unjudgedPaths(
  parameters: Json,
  { path_arguments: paths }: Pick<ToolDefinition, 'path_arguments'>,
): readonly string[] {
  const { reads = [], writes = [] } = paths ?? {};
  return [...markedPaths(parameters)]
    .filter(([pointer, written]) => !writes.includes(pointer) && (written || !reads.includes(pointer)))
    .map(([pointer]) => pointer);
}

/**
 * The arguments that a schema marks as paths of a workspace by their format, and whether they are written. They are
 * pointers into the arguments, an array by its own one. A path that no such pointer leads to is named by its place in
 * the schema, which path_arguments cannot name.
 */
function markedPaths(parameters: Json): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const visit = (schema: Json, pointer: string, isArgument: boolean): void => {
    if (Array.isArray(schema)) {
      const items: readonly Json[] = schema;
      items.forEach((item, index) => {
        visit(item, `${pointer}/${String(index)}`, false);
      });
    }
    if (!isJsonObject(schema)) return;
    const written = schema.format === WORKSPACE_PATH_FORMATS.written;
    if (written || schema.format === WORKSPACE_PATH_FORMATS.any) found.set(pointer, written);
    for (const [keyword, child] of Object.entries(schema)) {
      if (keyword === 'properties' && isArgument && isJsonObject(child)) {
        for (const [name, property] of Object.entries(child))
          visit(property, `${pointer}/${escapePointer(name)}`, true);
      } else if (keyword === 'items' && isArgument) visitItems(child, pointer);
      else visit(child, `${pointer}/${escapePointer(keyword)}`, false);
    }
  };
  const visitItems = (items: Json, pointer: string): void => {
    if (isJsonObject(items) && items.type === 'string') visit(items, pointer, false);
    else visit(items, `${pointer}/items`, false);
  };
  visit(parameters, '', true);
  return found;
}
