import { isJsonObject, ownMember, type Json } from '#lib/canonical';

/** The member at a path of keys, or null. */
export function member(value: Json, ...path: readonly string[]): Json {
  let inner = value;
  for (const key of path) {
    if (!isJsonObject(inner)) return null;
    inner = ownMember(inner, key) ?? null;
  }
  return inner;
}
