import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { FailureError, type Failure } from '#lib/kernel';
import { parseJsonBody } from './body-parsers.js';
import { isLongBody, MAX_OF_UNKNOWN, readLongBody } from './incoming-body.js';

const known = new WeakSet<FastifyRequest>();

/** Called by the guard of a public route that has found out who sent the request. */
export const markKnown = (request: FastifyRequest): void => {
  known.add(request);
};

/** Parses bodies of JSON after the guards. A caller who is refused has cost no parse, and no body beyond the first part. */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isLongBody(request)) {
      if (!known.has(request)) throw new FailureError(tooLong);
      await readLongBody(request);
    }
    if (Buffer.isBuffer(request.body)) request.body = parseJsonBody(request, request.body);
    return next.handle();
  }
}

const tooLong: Failure = {
  kind: 'too_large',
  code: 'request.too_large',
  message: `The body is larger than ${String(MAX_OF_UNKNOWN)} bytes, and this route does not know its caller before it reads the body.`,
  action: 'Send a smaller document.',
};
