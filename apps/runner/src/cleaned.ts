import type { Json } from '#lib/canonical';

/** The value with its text as Countersign accepts it: well-formed and without NUL. */
export function cleaned(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleaned(key) as string, cleaned(member)]));
}
