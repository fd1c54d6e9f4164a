import type { z } from 'zod';
import { visibleText } from './visible-text.js';

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    tuple: 'a list',
    object: 'an object',
    record: 'an object',
    never: 'left out',
    undefined: 'left out',
  }),
);

const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    email: 'a mail address',
    url: 'an address, as https://example.com/',
    datetime: 'a time in UTC, as 2026-11-27T20:00:00.000Z',
    date: 'a day, as 2026-11-27',
    uuid: 'an id, as 0199c0de-0000-7000-8000-000000000001',
    base64: 'base64, with A-Z, a-z, 0-9, + and /',
  }),
);

/** The units of a size; a number has none. */
const UNITS: ReadonlyMap<string, string> = new Map(Object.entries({ string: 'character', array: 'item', set: 'item' }));

const MAX_KEYS = 5;
const MAX_KEY = 100;

type Issue = z.core.$ZodRawIssue;

/**
 * Words for each mistake that zod finds in a document, as they follow its place. Give it to `safeParse` as `error`, wherever
 * somebody reads the message of an issue. A schema that has words of its own keeps them.
 */
export function wordsOfIssue(issue: Issue): string {
  // A missing member breaks its schema in many ways: an enum reports a wrong value, a union a wrong form.
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES.get(issue.expected) ?? issue.expected}`;
    case 'too_small':
      return bounded(issue.origin, Number(issue.minimum), boundOf(issue, 'more than', 'at least'));
    case 'too_big':
      return bounded(issue.origin, Number(issue.maximum), boundOf(issue, 'less than', 'at most'));
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_format': {
      const form = FORMATS.get(issue.format);
      return form === undefined ? 'does not have the right form' : `must be ${form}`;
    }
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, MAX_KEYS).map(keyShown).join(', ')}`;
    case 'invalid_union':
      return wordsOfUnion(issue);
    case 'invalid_key':
      return `is not allowed as a name: it ${issue.issues.map(({ message }) => message).join(', and ')}`;
    default:
      return 'is not valid';
  }
}

/** A caller wrote it. */
const keyShown = (key: string): string => JSON.stringify(visibleText(key.slice(0, MAX_KEY)));

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;

/** The values of a discriminator, or the first mistake of each form. */
function wordsOfUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (Array.isArray(issue.options)) return oneOf(issue.options);
  const forms = issue.errors.flatMap(([first]) =>
    first === undefined ? [] : [`${first.path.length === 0 ? '' : 'has a part that '}${first.message}`],
  );
  return forms.length === 0 ? 'has none of the forms that are allowed here' : [...new Set(forms)].join(', or ');
}

const boundOf = (
  { exact, inclusive }: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  exclusive: string,
  usual: string,
): string => (exact === true ? 'exactly' : inclusive === false ? exclusive : usual);

function bounded(origin: string, bound: number, how: string): string {
  const unit = UNITS.get(origin);
  if (unit === undefined) return `must be ${how} ${String(bound)}`;
  return `must have ${how} ${String(bound)} ${unit}${bound === 1 ? '' : 's'}`;
}
