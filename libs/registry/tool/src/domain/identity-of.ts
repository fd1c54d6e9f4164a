import type { Json, JsonObject } from '#lib/canonical';
import { valueAt } from './json-pointer.js';
import type { ToolVersion } from './tool-version.js';

/** The values at the identity fields of a tool, by pointer; null if the arguments name nothing there. */
export function identityOf({ definition }: Pick<ToolVersion, 'definition'>, args: JsonObject): JsonObject | null {
  const named: [string, Json][] = definition.identity_fields.flatMap((pointer) => {
    const value = valueAt(args, pointer);
    return value === undefined ? [] : [[pointer, value]];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}
