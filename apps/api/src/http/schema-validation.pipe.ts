import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { FailureError, notFound, type Failure, type FieldError } from '#lib/kernel';
import { closest, visibleText } from '#lib/words';
import { wordsOfIssue } from './words-of-issue.js';

/** How many mistakes one answer lists. */
const MAX_ERRORS = 50;

type Issue = z.core.$ZodIssue;

/**
 * Validates the values of `@Body({ schema })`, `@Query({ schema })` and `@Param(name, { schema })`. A wrong document is
 * 422 with a pointer to each mistake. An impossible id or name is 404, as one that never existed; the message describes
 * valid ones.
 */
@Injectable()
export class SchemaValidationPipe implements PipeTransform {
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.schema === undefined || metadata.type === 'custom') return value;
    // Every schema of the API is one of zod, which tells the input of an issue if it is asked to.
    const schema = metadata.schema as unknown as z.ZodType;
    const result = await schema.safeParseAsync(value, { reportInput: true, error: wordsOfIssue });
    if (result.success) return result.data;
    const { issues } = result.error;
    if (metadata.type === 'param') throw new FailureError(impossible(metadata.data, issues[0]));
    throw new FailureError({
      kind: 'unprocessable',
      code: metadata.type === 'query' ? 'request.query_invalid' : 'request.invalid',
      message: metadata.type === 'query' ? 'The query parameters are not valid.' : 'The document is not valid.',
      action: 'Correct the listed errors.',
      errors: fieldErrorsOf(issues, schema instanceof z.ZodObject ? Object.keys(schema.shape) : []),
      details: { route: 'GET /v1/openapi.json' },
    });
  }
}

function impossible(parameter: string | undefined, issue: Issue | undefined): Failure {
  const nothing = notFound('resource');
  if (issue?.code !== 'invalid_format' || issue.format !== 'regex') return nothing;
  return { ...nothing, message: `There is nothing at this address: its ${parameter ?? 'name'} ${issue.message}.` };
}

/** @param members those of the document itself: an unknown one was probably one of them. */
function fieldErrorsOf(issues: readonly Issue[], members: readonly string[]): FieldError[] {
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
