import {
  Inject,
  Injectable,
  SetMetadata,
  type CallHandler,
  type CustomDecorator,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { UNIT_OF_WORK } from '#lib/database';
import { digestOf, FailureError, type Failure, type Principal, type UnitOfWork } from '#lib/kernel';
import type { Json, JsonObject } from '#lib/canonical';
import { principalOf } from './access.js';
import { IdempotencyRecords, type AnswerToKeep, type IdempotencyClaim } from './idempotency-records.js';

const IDEMPOTENT = 'countersign:idempotent';
const acceptableKey = /^[\x21-\x7e]{1,255}$/;

/** How the answer is kept. One that holds a secret is not: it is shown once. */
type Keeping = 'answer' | 'fact';

/**
 * The route creates something, and takes an Idempotency-Key: repeated with the same key and body it answers what it
 * answered, and creates nothing more.
 */
export const Idempotent = (): CustomDecorator => SetMetadata(IDEMPOTENT, 'answer' satisfies Keeping);

/** The same for a route whose answer holds a secret: a repetition learns that it was carried out, and not the secret. */
export const IdempotentWithSecretAnswer = (): CustomDecorator => SetMetadata(IDEMPOTENT, 'fact' satisfies Keeping);

/**
 * Carries the Idempotency-Key through. A key is claimed in a transaction before the route runs, and the answer is kept
 * after it; a process that dies in between leaves the claim, and then the outcome has to be looked up: nothing is ever
 * done twice. A refusal gives the key back, since nothing was created.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  readonly #reflector: Reflector;
  readonly #records: IdempotencyRecords;

  constructor(reflector: Reflector, @Inject(UNIT_OF_WORK) uow: UnitOfWork) {
    this.#reflector = reflector;
    this.#records = new IdempotencyRecords(uow);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const keeping = this.#reflector.get<Keeping | undefined>(IDEMPOTENT, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    const principal = principalOf(request);
    if (keeping === undefined || key === undefined || principal === undefined || principal.kind === 'system')
      return next.handle();
    if (typeof key !== 'string' || !acceptableKey.test(key)) throw new FailureError(badKey);
    return from(this.#once(claimOf(principal, key, request), keeping, http.getResponse<FastifyReply>(), next));
  }

  async #once(claim: IdempotencyClaim, keeping: Keeping, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    const found = await this.#records.claim(claim);
    if (found.kind === 'mismatch') throw new FailureError(keyReused);
    if (found.kind === 'unfinished') throw new FailureError(found.old ? outcomeUnknown : inProgress);
    if (found.kind === 'answered') return replay(found.answer, reply);
    let body: unknown;
    try {
      body = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      // What nobody foresaw may have happened after a commit: the claim stays.
      if (error instanceof FailureError && error.failure.kind !== 'internal') await this.#records.release(claim);
      throw error;
    }
    await this.#records.complete(claim, answerOf(keeping, reply, body));
    return body;
  }
}

function claimOf(
  principal: Exclude<Principal, { kind: 'system' }>,
  key: string,
  request: FastifyRequest,
): IdempotencyClaim {
  const route = request.routeOptions.url ?? '';
  return {
    tenantId: principal.tenantId,
    credentialId: principal.credentialId,
    key,
    operation: `${request.method} ${route}`,
    requestDigest: digestOf('request-body', {
      method: request.method,
      route,
      // Fastify's own classes, copied to plain objects.
      parameters: { ...(request.params as JsonObject) },
      query: { ...(request.query as JsonObject) },
      body: (request.body ?? null) as Json,
    }),
  };
}

function answerOf(keeping: Keeping, reply: FastifyReply, body: unknown): AnswerToKeep {
  if (keeping === 'fact') return { status: 204, headers: {}, body: '' };
  const headers = Object.fromEntries(
    ['etag', 'location'].flatMap((name) => {
      const value = reply.getHeader(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  return { status: reply.statusCode, headers, body: body === undefined ? '' : JSON.stringify(body) };
}

function replay(answer: AnswerToKeep, reply: FastifyReply): unknown {
  if (answer.body === '') throw new FailureError(answerNotKept);
  void reply.status(answer.status).headers(answer.headers).header('idempotent-replay', 'true');
  return JSON.parse(answer.body) as unknown;
}

const badKey: Failure = {
  kind: 'invalid',
  code: 'idempotency.key_malformed',
  message: 'The Idempotency-Key is not one.',
  action: 'Use 1 to 255 visible ASCII characters, for example a UUID.',
};

const keyReused: Failure = {
  kind: 'unprocessable',
  code: 'idempotency.key_reused',
  message: 'This Idempotency-Key was used for another request.',
  action: 'Use a new key for a new request.',
};

const inProgress: Failure = {
  kind: 'conflict',
  code: 'idempotency.in_progress',
  message: 'The first request with this Idempotency-Key is still at work.',
  action: 'Repeat it in a moment.',
  retryAfterSeconds: 1,
};

const outcomeUnknown: Failure = {
  kind: 'conflict',
  code: 'idempotency.outcome_unknown',
  message: 'The first request with this Idempotency-Key was not answered, and may have been carried out.',
  action: 'Look whether what it creates is there; if not, send it with a new key.',
};

const answerNotKept: Failure = {
  kind: 'conflict',
  code: 'idempotency.answer_not_kept',
  message: 'The request was carried out; its answer held a secret that is shown only once.',
  action: 'If the answer was lost, revoke what it created and ask for another with a new key.',
};
