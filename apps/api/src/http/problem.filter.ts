import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { databaseFailure, isSqlError } from '#lib/database';
import { FailureError, type Failure } from '#lib/kernel';
import { failureOfStatus } from './failure-of-http-error.js';
import { problemPageOf } from './problem-page.js';
import { problemOf, unexpectedFailure } from './problem.js';

/** Turns every thrown error into problem+json, or sends a browser to the page that explains it. An unexpected error is logged with the request id; the caller learns none of it. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger('Problem');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const failure = this.#failureOf(error);
    if (reply.sent || reply.raw.headersSent) {
      this.#logger.error({ err: error }, 'failed after the answer had begun');
      reply.raw.destroy();
      return;
    }
    void reply.header('cache-control', 'no-store');
    const page = problemPageOf(request, failure.code);
    if (page !== null) {
      void reply.status(303).header('location', page).send();
      return;
    }
    const problem = problemOf(failure, request.id);
    void reply.status(problem.status).header('content-type', 'application/problem+json; charset=utf-8');
    if (failure.kind === 'unauthenticated' && !reply.hasHeader('www-authenticate'))
      void reply.header('www-authenticate', 'Bearer');
    if (failure.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', String(Math.ceil(failure.retryAfterSeconds)));
    }
    void reply.send(JSON.stringify(problem));
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof FailureError) {
      if (error.failure.kind === 'internal') this.#logger.error({ err: error }, error.failure.code);
      return error.failure;
    }
    if (isSqlError(error, CHARACTER_NOT_IN_REPERTOIRE)) return notText;
    const away = databaseFailure(error);
    if (away !== null) {
      this.#logger.warn({ err: error }, away.code);
      return away;
    }
    const status = statusOf(error);
    const known = status === undefined ? undefined : failureOfStatus(status);
    if (known !== undefined) return known;
    this.#logger.error({ err: error }, 'unexpected error');
    return unexpectedFailure;
  }
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
