import type { Json } from '#lib/canonical';
import { member, pointerTokens } from './json-pointer.js';

/** Whether a pointer into the arguments leads through declared properties to a string or strings that are no secret. */
export function declaresNames(parameters: Json, pointer: string): boolean {
  const node = declaredAt(parameters, pointer);
  const items = member(node, 'items');
  const names =
    member(node, 'type') === 'string' || (member(node, 'type') === 'array' && member(items, 'type') === 'string');
  return names && member(node, 'writeOnly') !== true && member(items, 'writeOnly') !== true;
}

/** The schema of an argument that is declared; undefined for one that is not. */
export function declaredAt(parameters: Json, pointer: string): Json | undefined {
  let node: Json | undefined = parameters;
  for (const token of pointerTokens(pointer)) node = member(member(node, 'properties'), token);
  return node;
}
