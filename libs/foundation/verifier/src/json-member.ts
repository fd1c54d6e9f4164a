import type { Json, JsonObject } from '#lib/canonical';

/** The member at a path of keys, or null. */
export function member(value: Json, ...path: readonly string[]): Json {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return null;
    inner = Object.hasOwn(inner, key) ? ((inner as JsonObject)[key] ?? null) : null;
  }
  return inner;
}
