import type { Json, JsonObject } from '#lib/canonical';

const isReference = (value: object): value is { readonly $secret: string } =>
  '$secret' in value && typeof value.$secret === 'string' && Object.keys(value).length === 1;

/** Every `{"$secret":"name@version"}` in arguments, each name once. */
export function secretReferences(value: Json): readonly string[] {
  const found = new Set<string>();
  const visit = (node: Json): void => {
    if (node === null || typeof node !== 'object') return;
    if (isReference(node)) found.add(node.$secret);
    else Object.values(node).forEach(visit);
  };
  visit(value);
  return [...found];
}

/** Takes secrets' values out of a tool's answer, which may echo them; T32. Values under four characters are not looked for. */
export function withoutSecrets(value: string, secrets: ReadonlyMap<string, string>): string;
export function withoutSecrets(value: Json, secrets: ReadonlyMap<string, string>): Json;
export function withoutSecrets(value: Json, secrets: ReadonlyMap<string, string>): Json {
  const hidden = [...secrets].filter(([, secret]) => secret.length >= 4);
  const clean = (text: string): string =>
    hidden.reduce((cleaned, [name, secret]) => cleaned.replaceAll(secret, `[secret ${name}]`), text);
  const visit = (node: Json): Json => {
    if (typeof node === 'string') return clean(node);
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(visit);
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [clean(key), visit(member)]));
  };
  return hidden.length === 0 ? value : visit(value);
}

/** The arguments with the values of secrets in place of their references, for a server that knows no references. */
export function inlineSecrets(given: JsonObject, secrets: ReadonlyMap<string, string>): JsonObject {
  const visit = (node: Json): Json => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(visit);
    if (isReference(node)) return secrets.get(node.$secret) ?? node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, visit(member)]));
  };
  return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, visit(member)]));
}
