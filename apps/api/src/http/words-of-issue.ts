import type { z } from 'zod';
import { ownMember } from '#lib/canonical';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'a mail address',
  url: 'an address, as https://example.com/',
  datetime: 'a time in UTC, as 2026-11-27T20:00:00.000Z',
  date: 'a day, as 2026-11-27',
};

/** The units of a size; a number has none. */
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item' };

/**
 * Words for a mistake in a document, as they follow its place. A schema that has words of its own keeps them.
 *
 * @returns undefined for a mistake that needs the words of its schema.
 */
export function wordsOfIssue(issue: z.core.$ZodRawIssue): string | undefined {
  // A missing member breaks its schema in many ways: an enum reports a wrong value, a union a wrong form.
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${ownMember(TYPES, issue.expected) ?? issue.expected}`;
    case 'too_small':
      return bounded(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bounded(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_format': {
      const form = ownMember(FORMATS, issue.format);
      return form === undefined ? 'does not have the right form' : `must be ${form}`;
    }
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'invalid_union':
      return 'has none of the forms that are allowed here';
    case 'invalid_key':
      return `is not allowed as a name: it ${issue.issues.map(({ message }) => message).join(', and ')}`;
    case 'custom':
      return 'is not valid';
    default:
      return undefined;
  }
}

function bounded(origin: string, bound: number, how: string): string {
  const unit = ownMember(UNITS, origin);
  if (unit === undefined) return `must be ${how} ${String(bound)}`;
  return `must have ${how} ${String(bound)} ${unit}${bound === 1 ? '' : 's'}`;
}
