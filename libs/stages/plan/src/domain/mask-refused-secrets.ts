import { isJsonList, isJsonObject, type Json } from '#lib/canonical';
import type { PlanDocument } from '#lib/formats';
import { type FieldError, MASK } from '#lib/kernel';
import { pointerToken } from './substitute-batch.js';

/**
 * The document as it may be kept. A secret's value in place of a reference to it is masked: a refused plan must not
 * keep a secret.
 */
export function maskRefusedSecrets(document: PlanDocument, errors: readonly FieldError[]): PlanDocument {
  const pointers = new Set(
    errors.filter((error) => error.code === 'tool.literal_secret').map((error) => error.pointer),
  );
  if (pointers.size === 0) return document;
  const walk = (node: Json, pointer: string): Json => {
    if (pointers.has(pointer)) return MASK;
    if (isJsonList(node)) return node.map((item, index) => walk(item, pointer + pointerToken(index)));
    if (!isJsonObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, member]) => [key, walk(member, pointer + pointerToken(key))]),
    );
  };
  // A schema read the document from JSON. A mask in place of a value leaves the shape of the rest as it is.
  return walk(document as Json, '') as unknown as PlanDocument;
}
