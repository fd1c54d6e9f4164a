import type { Json, JsonObject } from '#lib/canonical';
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
    if (Array.isArray(node))
      return (node as readonly Json[]).map((item, index) => walk(item, pointer + pointerToken(index)));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node as JsonObject).map(([key, member]) => [key, walk(member, pointer + pointerToken(key))]),
    );
  };
  return walk(document as Json, '') as unknown as PlanDocument;
}
