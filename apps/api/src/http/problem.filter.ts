import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { databaseFailure } from '#lib/database';
import type { Failure } from '#lib/kernel';
import { failureOf } from './failure-of.js';
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
    const failure = failureOf(error);
    this.#log(error, failure);
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

  #log(error: unknown, { kind, code }: Failure): void {
    if (code === unexpectedFailure.code) this.#logger.error({ err: error }, 'unexpected error');
    else if (kind === 'internal') this.#logger.error({ err: error }, code);
    else if (databaseFailure(error) !== null) this.#logger.warn({ err: error }, code);
  }
}
