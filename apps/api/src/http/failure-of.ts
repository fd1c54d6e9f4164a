import { HttpException } from '@nestjs/common';
import { databaseFailure, isSqlError } from '#lib/database';
import { FailureError, type Failure } from '#lib/kernel';
import { failureOfStatus } from './failure-of-http-error.js';
import { unexpectedFailure } from './problem.js';

/** The failure that an error of a route is answered with. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  if (isSqlError(error, CHARACTER_NOT_IN_REPERTOIRE)) return notText;
  const status = statusOf(error);
  return databaseFailure(error) ?? (status === undefined ? undefined : failureOfStatus(status)) ?? unexpectedFailure;
}

/** SQLSTATE: text holds U+0000, which PostgreSQL stores in no text. The parsers of bodies refuse other text that is not UTF-8. */
const CHARACTER_NOT_IN_REPERTOIRE = '22021';

const notText: Failure = {
  kind: 'unprocessable',
  code: 'request.null_character',
  message: 'The request holds the character U+0000, which no text here may hold.',
  action: 'Leave the character out.',
};

/** The status of an error of the HTTP layer itself. A 5xx other than 503 is ours, and unexpected. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'FST_ERR_HANDLER_TIMEOUT' ? 503 : undefined;
}
