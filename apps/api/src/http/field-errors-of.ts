import { z } from 'zod';
import type { FieldError } from '#lib/kernel';
import { closest, visibleText } from '#lib/words';

/** How many mistakes one answer lists. */
const MAX_ERRORS = 50;

type Issue = z.core.$ZodIssue;

/**
 * The mistakes in a document, each at its place. Read the document with `reportInput`, and with `wordsOfIssue` as its words.
 *
 * @param schema that of the document: an unknown member was probably one of its own.
 */
export function fieldErrorsOf(issues: readonly Issue[], schema: z.ZodType): FieldError[] {
  const members = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const missing = issues.filter(isMissing).map(pathOf);
  const known = [...missing, ...members.map((member) => [member])];
  return issues.flatMap((issue) => fieldErrors(issue, known)).slice(0, MAX_ERRORS);
}

/** @param known paths of members, those that are missing first: an unknown key was probably one of them. */
function fieldErrors(issue: Issue, known: readonly (readonly string[])[]): FieldError[] {
  const path = pathOf(issue);
  const code = `field.${issue.code}`;
  if (issue.code !== 'unrecognized_keys') {
    return [{ pointer: pointerTo(path), code, message: issue.message }];
  }
  const beside = known.filter((other) => pointerTo(other.slice(0, -1)) === pointerTo(path));
  const names = beside.flatMap((other) => other.slice(-1));
  return issue.keys.slice(0, MAX_ERRORS).map((key) => {
    const meant = closest(key, names);
    return {
      pointer: pointerTo([...path, key]),
      code,
      message: 'is not known here',
      ...(meant === undefined ? {} : { suggestion: meant }),
    };
  });
}

const pathOf = (issue: Issue): string[] => issue.path.map(String);

const isMissing = (issue: Issue): boolean => issue.input === undefined;

/** A JSON Pointer (RFC 6901); an overlong key is cut, since it is the caller's text. */
const pointerTo = (path: readonly string[]): string =>
  // A caller wrote the keys: they are shown bounded and inert.
  path.map((key) => `/${visibleText(key.slice(0, 200)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
