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
import type { Database } from '#lib/database';
import {
  digestOf,
  type EnclosingTransactions,
  type Failure,
  FailureError,
  type Principal,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { Json, JsonObject } from '#lib/canonical';
import { DATABASE, KEPT_ANSWERS } from './http.tokens.js';
import { principalOf } from './access.js';
import { failureOf } from './failure-of.js';
import type { AnswerToKeep, ClaimOutcome, IdempotencyClaim, IdempotencyRecords } from '#lib/idempotency';

export const IDEMPOTENT = 'countersign:idempotent';
const ONE_TRANSACTION = 'countersign:one-transaction';
const acceptableKey = /^[\x21-\x7e]{1,255}$/;
/** The headers of an answer that a route sets. */
const KEPT_HEADERS = ['etag', 'location'];

/** How the answer is kept. One that holds a secret is not: it is shown once. */
type Keeping = 'answer' | 'fact';

/** A route that takes an Idempotency-Key. */
export interface KeyedRoute {
  readonly keeping: Keeping;
  readonly actsOutside: string | null;
}

/**
 * The route creates something, and takes an Idempotency-Key. A repetition with the same key and body gets the first answer,
 * and creates nothing more. As {@link OneTransaction}, unless it acts outside the database.
 *
 * @param options.actsOutside the act that no rollback takes back, or that no transaction may wait for.
 */
export const Idempotent = ({ actsOutside = null }: { readonly actsOutside?: string | null } = {}): CustomDecorator =>
  SetMetadata(IDEMPOTENT, { keeping: 'answer', actsOutside } satisfies KeyedRoute);

/**
 * The same for a route that answers with a secret, and does nothing outside the database. A repetition learns that the first was
 * carried out, and not the secret.
 */
export const IdempotentWithSecretAnswer = (): CustomDecorator =>
  SetMetadata(IDEMPOTENT, { keeping: 'fact', actsOutside: null } satisfies KeyedRoute);

/**
 * The route's use case and its answer are one transaction, and so is the record of its Idempotency-Key. The route does nothing
 * outside the database. A transaction that collides with another is tried again, and the route with it.
 */
export const OneTransaction = (): CustomDecorator => SetMetadata(ONE_TRANSACTION, true);

/**
 * Carries the Idempotency-Key through. A refusal gives the key back, since nothing was created.
 *
 * In one transaction the key is claimed, the route runs and the answer is kept, or nothing of it happens. Elsewhere the
 * key is claimed in a transaction before the route runs, and the answer is kept after it. A process that dies in between leaves
 * the claim. A failure is kept, and then the outcome has to be looked up: nothing is ever done twice.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  readonly #reflector: Reflector;
  readonly #uow: UnitOfWork;
  readonly #transactions: EnclosingTransactions;
  readonly #records: IdempotencyRecords;

  constructor(
    reflector: Reflector,
    @Inject(DATABASE) database: Pick<Database, 'uow' | 'enclosingTransactions'>,
    @Inject(KEPT_ANSWERS) records: IdempotencyRecords,
  ) {
    this.#reflector = reflector;
    this.#uow = database.uow;
    this.#transactions = database.enclosingTransactions;
    this.#records = records;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const principal = principalOf(request);
    if (principal === undefined || principal.kind === 'system') return next.handle();
    const handler = context.getHandler();
    const route: Route = {
      run: () => lastValueFrom(next.handle(), { defaultValue: undefined }),
      reply: http.getResponse<FastifyReply>(),
    };
    const keyed = this.#reflector.get<KeyedRoute | undefined>(IDEMPOTENT, handler);
    const claimed = keyed === undefined ? null : claimedBy(request, principal, keyed);
    const enclosed =
      keyed?.actsOutside === null || this.#reflector.get<boolean | undefined>(ONE_TRANSACTION, handler) === true;
    if (enclosed) return from(this.#inOne(principal.tenantId, claimed, route));
    return claimed === null ? next.handle() : from(this.#around(claimed, route));
  }

  async #inOne(tenantId: TenantId, claimed: Claimed | null, { run, reply }: Route): Promise<unknown> {
    const { statusCode } = reply;
    const done = await this.#transactions.enclose<Done>(tenantId, async (enclosed) => {
      const { tx } = enclosed;
      // Those of an attempt that collided are not those of this one.
      void reply.status(statusCode);
      for (const name of KEPT_HEADERS) void reply.removeHeader(name);
      const answered =
        claimed === null ? null : answerTo(await this.#records.claim(tx, claimed.claim), claimed.keeping, reply);
      if (answered !== null) return answered;
      try {
        const body = await run();
        if (claimed !== null) await this.#records.complete(tx, claimed.claim, answerOf(claimed.keeping, reply, body));
        return { body };
      } catch (error) {
        // A returned refusal keeps its record. An error thrown within the use case rolls everything back.
        if (enclosed.broken || !isRefusal(error)) throw error;
        if (claimed !== null) await this.#records.release(tx, claimed.claim);
        return { refusal: error };
      }
    });
    if ('refusal' in done) throw done.refusal;
    return done.body;
  }

  async #around({ claim, keeping }: Claimed, { run, reply }: Route): Promise<unknown> {
    const found = await this.#uow.run(claim.tenantId, (tx) => this.#records.claim(tx, claim));
    const answered = answerTo(found, keeping, reply);
    if (answered !== null) return answered.body;
    let body: unknown;
    try {
      body = await run();
    } catch (error) {
      if (isRefusal(error) && error.failure.kind !== 'unavailable')
        await this.#uow.run(claim.tenantId, (tx) => this.#records.release(tx, claim));
      else await this.#keepFailed(claim, failureOf(error));
      throw error;
    }
    const answer = answerOf(keeping, reply, body);
    await this.#uow.run(claim.tenantId, (tx) => this.#records.complete(tx, claim, answer));
    return body;
  }

  /**
   * Another transaction of the route, or the one that failed, may have been committed, so the key stays taken. A repetition
   * learns at once that the outcome is unknown, and the code of the failure. If that cannot be kept either, the claim says so a
   * minute later.
   */
  async #keepFailed(claim: IdempotencyClaim, { kind, code }: Failure): Promise<void> {
    const failed = { status: kind === 'unavailable' ? 503 : 500, headers: {}, body: code };
    await this.#uow.run(claim.tenantId, (tx) => this.#records.complete(tx, claim, failed)).catch(() => undefined);
  }
}

type Caller = Exclude<Principal, { kind: 'system' }>;

/** The key of a request, claimed or to be claimed, and how its answer is kept. */
interface Claimed {
  readonly claim: IdempotencyClaim;
  readonly keeping: Keeping;
}

interface Route {
  readonly run: () => Promise<unknown>;
  readonly reply: FastifyReply;
}

type Done = { readonly body: unknown } | { readonly refusal: FailureError };

const isRefusal = (error: unknown): error is FailureError =>
  error instanceof FailureError && error.failure.kind !== 'internal';

/** The answer to a repetition; null for the request that claimed the key. */
function answerTo(found: ClaimOutcome, keeping: Keeping, reply: FastifyReply): { readonly body: unknown } | null {
  switch (found.kind) {
    case 'claimed':
      return null;
    case 'mismatch':
      throw new FailureError(keyReused);
    case 'unfinished':
      throw new FailureError(found.old ? outcomeUnknown() : inProgress);
    case 'answered':
      return { body: replay(found.answer, keeping, reply) };
  }
}

function claimedBy(request: FastifyRequest, principal: Caller, { keeping }: KeyedRoute): Claimed | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !acceptableKey.test(key)) throw new FailureError(badKey);
  return { claim: claimOf(principal, key, request), keeping };
}

function claimOf(principal: Caller, key: string, request: FastifyRequest): IdempotencyClaim {
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
      // Fastify parsed all three from text.
      parameters: { ...(request.params as JsonObject) },
      // Text, or lists of it.
      query: { ...(request.query as JsonObject) },
      // The parsers of bodies give JSON.
      body: (request.body ?? null) as Json,
    }),
  };
}

function answerOf(keeping: Keeping, reply: FastifyReply, body: unknown): AnswerToKeep {
  if (keeping === 'fact') return { status: 204, headers: {}, body: '' };
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  return { status: reply.statusCode, headers, body: body === undefined ? '' : JSON.stringify(body) };
}

function replay(answer: AnswerToKeep, keeping: Keeping, reply: FastifyReply): unknown {
  if (answer.status >= 500) throw new FailureError(outcomeUnknown(answer.body));
  if (keeping === 'fact') throw new FailureError(answerNotKept);
  void reply.status(answer.status).headers(answer.headers).header('idempotent-replay', 'true');
  return answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown);
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

/** @param failed the code of the failure that the first request was answered with, if it was answered. */
const outcomeUnknown = (failed?: string): Failure => ({
  kind: 'conflict',
  code: 'idempotency.outcome_unknown',
  message: `The first request with this Idempotency-Key ${failed === undefined ? 'was not answered' : `failed with ${failed}`}, and may have been carried out.`,
  action: 'Look for the thing that it creates; if it is not there, send the request with a new key.',
  ...(failed === undefined ? {} : { details: { first_code: failed } }),
});

const answerNotKept: Failure = {
  kind: 'conflict',
  code: 'idempotency.answer_not_kept',
  message: 'The request was carried out; its answer held a secret that is shown only once.',
  action: 'If the answer was lost, revoke the thing that it created, and ask for another with a new key.',
};
