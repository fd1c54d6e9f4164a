import { ownMember, type Json, type JsonObject } from '#lib/canonical';
import type { InputValues } from './automation-inputs.js';

const PLACEHOLDER = /^\{\{inputs\.([a-z][a-z0-9_-]*)\}\}$/;

/** A place in the arguments with a placeholder: the input, or null for a text of more than that. */
export interface Placeholder {
  readonly pointer: string;
  readonly input: string | null;
  /** Whether it would choose a secret. */
  readonly inSecret: boolean;
}

/** Every placeholder in the arguments of a step, by its JSON pointer. */
export function placeholdersIn(value: Json, pointer = '', inSecret = false): readonly Placeholder[] {
  if (typeof value === 'string')
    return value.includes('{{inputs.') ? [{ pointer, input: PLACEHOLDER.exec(value)?.[1] ?? null, inSecret }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name.includes('{{inputs.') ? [{ pointer: `${pointer}/${escaped(name)}`, input: null, inSecret }] : []),
    ...placeholdersIn(member, `${pointer}/${escaped(name)}`, inSecret || name === '$secret'),
  ]);
}

/** The arguments with each placeholder replaced by the value of its input, whole and of its own type. Nothing is spliced into text. */
export function fillArguments(given: JsonObject, values: InputValues): JsonObject {
  // An object stays an object.
  return filled(given, values) as JsonObject;
}

function filled(value: Json, values: InputValues): Json {
  if (typeof value === 'string') {
    const input = PLACEHOLDER.exec(value)?.[1];
    if (input === undefined) return value;
    const found = ownMember(values, input);
    if (found === undefined) throw new Error(`the run has no value of the input ${input}`);
    return found;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json) => filled(each, values));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, values)]));
}

/** RFC 6901. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
