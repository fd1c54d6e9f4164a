import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { FailureError, notFound, type Failure } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { fieldErrorsOf } from './field-errors-of.js';

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
    // Every schema of the API is one of zod. Such a schema tells the input of an issue if it is asked to.
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
      errors: fieldErrorsOf(issues, schema),
      details: { route: 'GET /v1/openapi.json' },
    });
  }
}

function impossible(parameter: string | undefined, issue: Issue | undefined): Failure {
  const nothing = notFound('resource');
  if (issue?.code !== 'invalid_format' || issue.format !== 'regex') return nothing;
  return { ...nothing, message: `There is nothing at this address: its ${parameter ?? 'name'} ${issue.message}.` };
}
