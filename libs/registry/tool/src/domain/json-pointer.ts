import { isJsonList, isJsonObject, type Json } from '#lib/canonical';

/** One token of a JSON Pointer (RFC 6901 section 3). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The tokens of a JSON Pointer, unescaped. */
export const pointerTokens = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** An own member of an object, never one of its prototype. */
export const member = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The value at a pointer, or undefined. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const token of pointerTokens(pointer)) {
    if (isJsonList(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    else value = member(value, token);
  }
  return value;
}

/** The string at a pointer, or the strings of the array there. */
export function stringsAt(document: Json, pointer: string): string[] {
  const value = valueAt(document, pointer);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
