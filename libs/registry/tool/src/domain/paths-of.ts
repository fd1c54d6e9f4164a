import type { JsonObject } from '#lib/canonical';
import { stringsAt } from './json-pointer.js';
import type { ToolVersion } from './tool-version.js';

/**
 * The paths that a call names, once its arguments are validated: every element of an array counts.
 *
 * @returns null for a tool that names none by its definition
 */
export function pathsOf(
  { definition }: Pick<ToolVersion, 'definition'>,
  args: JsonObject,
): { readonly reads: readonly string[]; readonly writes: readonly string[] } | null {
  const { path_arguments: pointers } = definition;
  if (pointers === undefined) return null;
  const at = (pointer: string): string[] => stringsAt(args, pointer);
  return { reads: pointers.reads.flatMap(at), writes: pointers.writes.flatMap(at) };
}
