import type { Json } from '#lib/canonical';
import type { AutomationDocument, EventTrigger } from '#lib/formats';
import type { Result } from '#lib/kernel';
import { fillInputs, type InputValues, type WrongInput } from './automation-inputs.js';

type BodyTrigger = Pick<EventTrigger, 'match' | 'inputs'>;

/** Whether an event is the one that a trigger waits for, or is in its group. */
export const waitsFor = ({ event: waited }: Pick<EventTrigger, 'event'>, event: string): boolean =>
  waited.endsWith('.*') ? event.startsWith(waited.slice(0, -1)) : waited === event;

/** Whether each path of the trigger's `match` holds its value. */
export const matches = ({ match }: Pick<BodyTrigger, 'match'>, body: Json): boolean =>
  Object.entries(match).every(([path, wanted]) => {
    const found = valueAt(body, path);
    return Array.isArray(wanted) ? wanted.some((each) => each === found) : wanted === found;
  });

/** The values of inputs that a body gives by the mapping of the trigger. A path that it does not have gives none. */
export const inputsFrom = (
  declared: AutomationDocument['inputs'],
  { inputs }: Pick<BodyTrigger, 'inputs'>,
  body: Json,
): Result<InputValues, readonly WrongInput[]> =>
  fillInputs(
    declared,
    Object.fromEntries(Object.entries(inputs).map(([input, path]) => [input, valueAt(body, path) ?? undefined])),
  );

/** Undefined if there is nothing at the path. Only members of the body itself count. */
function valueAt(body: Json, path: string): Json | undefined {
  let found: unknown = body;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    if (Array.isArray(found) && name === 'length') return undefined;
    // It has an own member of this name.
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  // An event is JSON.
  return found as Json | undefined;
}
