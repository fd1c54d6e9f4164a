import type { Json } from '#lib/canonical';

/** The value with its text as it can be stored and digested: well-formed and without NUL. Other characters stand for these. */
export function cleaned<Value extends Json>(value: Value): Value;
export function cleaned(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => cleaned(member));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleaned(key), cleaned(member)]));
}
