import type { Json, JsonObject } from '#lib/canonical';
import { maskSecrets } from '#lib/kernel';

/**
 * A policy input as it may be kept. Only what is a secret by its form is masked: member names are data here (tools and
 * environments by name), so that a tool called `rotate_secret` keeps its facts and the decision can be taken again.
 */
export function maskInput(input: Json, text: string): Json {
  // One pass over the whole text tells that there is nothing to look for in its thousand strings.
  return maskSecrets(text) === text ? input : maskStrings(input);
}

function maskStrings(value: Json): Json {
  if (typeof value === 'string') return maskSecrets(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(maskStrings);
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, member]) => [name, maskStrings(member)]));
}
