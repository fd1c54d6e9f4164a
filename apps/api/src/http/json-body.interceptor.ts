import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { FailureError, type Failure } from '#lib/kernel';
import { principalOf } from './access.js';
import { parseJsonBody } from './body-parsers.js';

/** The longest JSON of a caller who is not known, in bytes. A megabyte costs more CPU time than anything else they could send. */
const LONGEST_OF_UNKNOWN = 65_536;

const known = new WeakSet<FastifyRequest>();

/** Whether only a caller who is known may send a body of this length. */
export const isLongBody = ({ body }: FastifyRequest): boolean =>
  Buffer.isBuffer(body) && body.length > LONGEST_OF_UNKNOWN;

/** Called by the guard of a public route that has found out who sent the request. */
export const markKnown = (request: FastifyRequest): void => {
  known.add(request);
};

/** Parses bodies of JSON after the guards: a caller who is refused has cost no parse. */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!Buffer.isBuffer(request.body)) return next.handle();
    if (isLongBody(request) && principalOf(request) === undefined && !known.has(request))
      throw new FailureError(tooLong);
    request.body = parseJsonBody(request, request.body);
    return next.handle();
  }
}

const tooLong: Failure = {
  kind: 'too_large',
  code: 'request.too_large',
  message: `The body is larger than ${String(LONGEST_OF_UNKNOWN)} bytes, and this route does not know its caller before it reads the body.`,
  action: 'Send a smaller document.',
};
