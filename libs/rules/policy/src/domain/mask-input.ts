import { isJsonList, isJsonObject, type Json } from '#lib/canonical';
import { maskSecrets } from '#lib/kernel';

/**
 * A policy input without secrets. Secrets are found by their form alone: member names are data here (tools and environments
 * by name). So a tool called `rotate_secret` keeps its facts, and the decision can be replayed.
 */
export function maskInput(input: Json, text: string): Json {
  // One pass over the whole text is cheaper than one for each of its strings.
  return maskSecrets(text) === text ? input : maskStrings(input);
}

function maskStrings(value: Json): Json {
  if (typeof value === 'string') return maskSecrets(value);
  if (isJsonList(value)) return value.map(maskStrings);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskStrings(member)]));
}
