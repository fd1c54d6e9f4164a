import { isJsonList, isJsonObject, type Json, type JsonObject } from '#lib/canonical';

/** The two values that expansion fills in: the batch's targets as an array, and one target at a time. */
export type BatchReference = 'targets' | 'target';

/** The values of the references in a step's arguments in one call. `target` is null if the call is for a whole batch. */
export interface BatchValues {
  readonly targets: readonly string[];
  readonly target: string | null;
}

/** The references that stand in a value, and the pointers of those that are not references at all. */
export interface BatchReferences {
  readonly used: ReadonlySet<BatchReference>;
  /** JSON Pointers of objects with a `$batch` that means nothing. */
  readonly malformed: readonly string[];
}

/** One token of a JSON Pointer (RFC 6901 section 3). */
export const pointerToken = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** `{"$batch":"targets"}` or `{"$batch":"target"}` and nothing else; undefined for every other value. */
function referenceOf(value: JsonObject): BatchReference | undefined {
  const reference = value.$batch;
  const exact = Object.keys(value).length === 1 && (reference === 'targets' || reference === 'target');
  return exact ? reference : undefined;
}

export function batchReferencesIn(value: Json): BatchReferences {
  const used = new Set<BatchReference>();
  const malformed: string[] = [];
  const walk = (node: Json, pointer: string): void => {
    if (isJsonList(node)) {
      node.forEach((item, index) => {
        walk(item, pointer + pointerToken(index));
      });
    } else if (isJsonObject(node)) {
      if (Object.hasOwn(node, '$batch')) {
        const reference = referenceOf(node);
        if (reference === undefined) malformed.push(pointer);
        else used.add(reference);
      } else {
        for (const [key, member] of Object.entries(node)) walk(member, pointer + pointerToken(key));
      }
    }
  };
  walk(value, '');
  return { used, malformed };
}

/** The arguments with every reference replaced; nothing else is touched. References must have been checked before. */
export function substituteBatch(args: JsonObject, values: BatchValues): JsonObject {
  const walk = (node: Json): Json => {
    if (isJsonList(node)) return node.map(walk);
    if (!isJsonObject(node)) return node;
    switch (referenceOf(node)) {
      case 'targets':
        return values.targets;
      case 'target':
        return values.target;
      case undefined:
        return substituteBatch(node, values);
    }
  };
  // fromEntries defines own properties, so that no key can reach a prototype.
  return Object.fromEntries(Object.entries(args).map(([key, member]) => [key, walk(member)]));
}

/** Whether a string stands anywhere in a value as a value. */
export function holdsString(value: Json, text: string): boolean {
  if (isJsonList(value)) return value.some((item) => holdsString(item, text));
  if (isJsonObject(value)) return Object.values(value).some((member) => holdsString(member, text));
  return value === text;
}
