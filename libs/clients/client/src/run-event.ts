import type { components } from './api.js';

type RunEvent = components['schemas']['RunEvent'];

/** The event of a run in the data of a server-sent event; null if they are none. */
export function runEventIn(data: string): RunEvent | null {
  const value = jsonIn(data);
  return isRunEvent(value) ? value : null;
}

/** The JSON in a text; null if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isRunEvent = (value: unknown): value is RunEvent =>
  isObject(value) &&
  Number.isSafeInteger(value.seq) &&
  typeof value.type === 'string' &&
  isActor(value.actor) &&
  isObject(value.data) &&
  typeof value.at === 'string';

const isActor = (value: unknown): value is RunEvent['actor'] =>
  isObject(value) &&
  // A newer server may have further kinds.
  [value.kind, value.id, value.display_name].every((member) => typeof member === 'string') &&
  [value.credential_id, value.on_behalf_of].every((member) => member === null || typeof member === 'string');

/** Whether a value is a JSON object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
