import { Injectable, StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { closest, FailureError, notFound, visibleText, type Failure, type FieldError } from '#lib/kernel';

/** How many mistakes one answer lists. */
const MOST_ERRORS = 50;

/** An issue as zod reports it through Standard Schema: its path, and members the specification does not name. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
  /** What a text should have been: `regex`, where the message says it in words. */
  readonly format?: string;
}

/**
 * Validates what stands in `@Body({ schema })`, `@Query({ schema })` and `@Param(name, { schema })`. A wrong document is
 * 422 with a pointer to each mistake; an id or a name that cannot be one is 404, as one that never existed, and says what
 * they are like.
 */
@Injectable()
export class SchemaValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T = unknown>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (metadata.schema === undefined || metadata.type === 'custom') return value;
    const result = await this.validate<T>(value, metadata.schema);
    if (result.issues === undefined) return result.value;
    if (metadata.type === 'param') throw new FailureError(impossible(metadata.data, result.issues[0]));
    throw new FailureError({
      kind: 'unprocessable',
      code: metadata.type === 'query' ? 'request.query_invalid' : 'request.invalid',
      message: metadata.type === 'query' ? 'The query parameters are not valid.' : 'The document is not valid.',
      action: 'Correct the listed errors.',
      errors: fieldErrorsOf(result.issues),
      details: { route: 'GET /v1/openapi.json' },
    });
  }
}

function impossible(parameter: string | undefined, issue: Issue | undefined): Failure {
  const nothing = notFound('resource');
  if (issue?.format !== 'regex') return nothing;
  return { ...nothing, message: `There is nothing at this address: its ${parameter ?? 'name'} ${issue.message}.` };
}

function fieldErrorsOf(issues: readonly Issue[]): FieldError[] {
  const missing = issues.filter(isMissing).map(pathOf);
  return issues.flatMap((issue) => fieldErrors(issue, missing)).slice(0, MOST_ERRORS);
}

/** @param missing the paths of what is required and not there: a key nobody knows was probably one of them. */
function fieldErrors(issue: Issue, missing: readonly (readonly string[])[]): FieldError[] {
  const path = pathOf(issue);
  const code = `field.${issue.code ?? 'invalid'}`;
  if (issue.keys === undefined) {
    return [{ pointer: pointerTo(path), code, message: messageOf(issue) }];
  }
  const beside = missing.filter((other) => pointerTo(other.slice(0, -1)) === pointerTo(path));
  const names = beside.flatMap((other) => other.slice(-1));
  return issue.keys.slice(0, MOST_ERRORS).map((key) => {
    const meant = closest(key, names);
    return {
      pointer: pointerTo([...path, key]),
      code,
      message: 'is not known here',
      ...(meant === undefined ? {} : { suggestion: meant }),
    };
  });
}

const pathOf = (issue: Issue): string[] =>
  (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));

/** What was read as a number and is none has no better name than NaN, which nobody wrote. */
const messageOf = (issue: Issue): string =>
  isMissing(issue) ? 'is missing' : issue.message.endsWith('received NaN') ? 'must be a number' : issue.message;

/** Zod tells a value that is not there from one of a wrong type by its message alone. */
const isMissing = (issue: Issue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');

/** A JSON Pointer (RFC 6901); an overlong key is cut, since it is the caller's text. */
const pointerTo = (path: readonly string[]): string =>
  // A caller wrote the keys: they are shown bounded and inert.
  path.map((key) => `/${visibleText(key.slice(0, 200)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
