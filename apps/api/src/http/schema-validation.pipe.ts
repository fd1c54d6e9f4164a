import { Injectable, StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { FailureError, notFound, type FieldError } from '#lib/kernel';

/** How many mistakes one answer lists. */
const MOST_ERRORS = 50;

/** An issue as zod reports it through Standard Schema: its path, and members the specification does not name. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
}

/**
 * Validates what stands in `@Body({ schema })`, `@Query({ schema })` and `@Param(name, { schema })`. A wrong document is
 * 422 with a pointer to each mistake; an id that cannot be one is 404, as an id that never existed.
 */
@Injectable()
export class SchemaValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T = unknown>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (metadata.schema === undefined || metadata.type === 'custom') return value;
    const result = await this.validate<T>(value, metadata.schema);
    if (result.issues === undefined) return result.value;
    if (metadata.type === 'param') throw new FailureError(notFound('resource'));
    throw new FailureError({
      kind: 'unprocessable',
      code: metadata.type === 'query' ? 'request.query_invalid' : 'request.invalid',
      message: metadata.type === 'query' ? 'The query parameters are not valid.' : 'The document is not valid.',
      action: 'Correct what `errors` lists; /v1/openapi.json holds the schema.',
      errors: (result.issues as readonly Issue[]).flatMap(fieldErrors).slice(0, MOST_ERRORS),
    });
  }
}

function fieldErrors(issue: Issue): FieldError[] {
  const path = (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
  const code = `field.${issue.code ?? 'invalid'}`;
  if (issue.keys !== undefined) {
    return issue.keys.map((key) => ({ pointer: pointerTo([...path, key]), code, message: 'is not known here' }));
  }
  return [{ pointer: pointerTo(path), code, message: issue.message }];
}

/** A JSON Pointer (RFC 6901); an overlong key is cut, since it is the caller's text. */
const pointerTo = (path: readonly string[]): string =>
  path.map((key) => `/${key.slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
