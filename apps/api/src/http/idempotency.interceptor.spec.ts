import type { CustomDecorator, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { defer, lastValueFrom, throwError } from 'rxjs';
import type { Database } from '#lib/database';
import { FailureError, newId, type FailureKind, type PersonPrincipal, type TenantId, type Tx } from '#lib/kernel';
import { samplePerson } from '../../../../test/support/sample-callers.js';
import { bindPrincipal } from './access.js';
import { createIdempotency, type ClaimOutcome } from '#lib/idempotency';
import {
  IdempotencyInterceptor,
  Idempotent,
  IdempotentWithSecretAnswer,
  OneTransaction,
} from './idempotency.interceptor.js';

const { records } = createIdempotency();
const person: PersonPrincipal = { ...samplePerson(newId<TenantId>()), scopes: ['submit'], signedInAt: 1 };

afterEach(() => {
  jest.restoreAllMocks();
});

/** A transaction collides at its first commit. */
const colliding: Pick<Database, 'uow' | 'enclosingTransactions'> = {
  uow: { run: () => Promise.reject(new Error('a request without a key claims none')) },
  enclosingTransactions: {
    enclose: async (_tenantId, work) => {
      // Without a key the interceptor asks nothing of its transaction.
      const enclosed = { tx: {} as Tx, broken: false };
      await work(enclosed);
      return work(enclosed);
    },
  },
};

/** The interceptor reads these members of Nest's context, and no other. */
const contextOf = (route: () => void, request: object, reply: object): ExecutionContext =>
  ({
    getHandler: () => route,
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }),
  }) as unknown as ExecutionContext;

/** The answer to a request of a route that sets another status and header at its first attempt. */
async function answered(declaration: CustomDecorator) {
  const route = (): void => undefined;
  declaration({}, 'route', { value: route });
  const request = { headers: {} };
  // The interceptor binds and reads this object, and no other member of a request.
  bindPrincipal(request as FastifyRequest, person);
  const headers = new Map<string, string>();
  const reply = {
    statusCode: 201,
    status: (code: number) => (reply.statusCode = code),
    removeHeader: (name: string) => headers.delete(name),
  };
  let attempts = 0;
  const handle = () =>
    defer(() => {
      attempts += 1;
      if (attempts === 1) {
        reply.status(202);
        headers.set('location', '/v1/change-requests/1');
      }
      return Promise.resolve({ attempt: attempts });
    });
  const context = contextOf(route, request, reply);
  const interceptor = new IdempotencyInterceptor(new Reflector(), colliding, records);
  const body: unknown = await lastValueFrom(interceptor.intercept(context, { handle }));
  return { body, status: reply.statusCode, headers: Object.fromEntries(headers) };
}

it.each([
  ['that takes a key', Idempotent()],
  ['that takes a key and answers with a secret', IdempotentWithSecretAnswer()],
  ['that takes no key', OneTransaction()],
])('tries a route %s again as a whole, and answers as its last attempt', async (_what, declaration) => {
  expect(await answered(declaration)).toEqual({ body: { attempt: 2 }, status: 201, headers: {} });
});

it('tries a route once that acts outside the database', async () => {
  expect(await answered(Idempotent({ actsOutside: 'It sends mail.' }))).toMatchObject({
    body: { attempt: 1 },
    status: 202,
  });
});

/** The first request claims the key, and the answer that is kept is found by the next. */
const keptAnswers = (): void => {
  let found: ClaimOutcome = { kind: 'claimed' };
  jest.spyOn(records, 'claim').mockImplementation(() => {
    const outcome = found;
    if (outcome.kind === 'claimed') found = { kind: 'unfinished', old: false };
    return Promise.resolve(outcome);
  });
  jest.spyOn(records, 'release').mockImplementation(() => {
    found = { kind: 'claimed' };
    return Promise.resolve();
  });
  jest.spyOn(records, 'complete').mockImplementation((_tx, _claim, answer) => {
    found = { kind: 'answered', answer };
    return Promise.resolve();
  });
};

/** A keyed request of the person. */
function keyedRequest(): object {
  const request = { headers: { 'idempotency-key': 'k' }, method: 'POST', routeOptions: {}, params: {}, query: {} };
  // Only the members that the interceptor reads are there.
  bindPrincipal(request as unknown as FastifyRequest, person);
  return request;
}

/** Requests with one key to a route that acts outside the database, and fails each time. */
function failing(kind: FailureKind) {
  const route = (): void => undefined;
  Idempotent({ actsOutside: 'It sends mail.' })({}, 'route', { value: route });
  const request = keyedRequest();
  const failed = new FailureError({ kind, code: 'test.failed', message: 'It failed.' });
  const database = { ...colliding, uow: { run: <T>(_tenantId: TenantId, work: (tx: Tx) => T) => work({} as Tx) } };
  const interceptor = new IdempotencyInterceptor(new Reflector(), database, records);
  const handle = () => throwError(() => failed);
  const answer = () => lastValueFrom(interceptor.intercept(contextOf(route, request, {}), { handle }));
  return { answer, failed };
}

it('answers a repetition without a body, too, and runs once', async () => {
  keptAnswers();
  const route = (): void => undefined;
  Idempotent()({}, 'route', { value: route });
  const request = keyedRequest();
  const headers: string[] = [];
  const reply = {
    statusCode: 204,
    status: () => reply,
    headers: () => reply,
    header: (name: string) => headers.push(name),
    removeHeader: () => reply,
    getHeader: () => undefined,
  };
  const ran = jest.fn();
  const enclosing: Pick<Database, 'uow' | 'enclosingTransactions'> = {
    ...colliding,
    enclosingTransactions: { enclose: (_tenantId, work) => work({ tx: {} as Tx, broken: false }) },
  };
  const interceptor = new IdempotencyInterceptor(new Reflector(), enclosing, records);
  const context = contextOf(route, request, reply);
  const handle = () => defer(() => Promise.resolve(ran() as undefined));
  for (let each = 0; each < 2; each += 1)
    expect(await lastValueFrom(interceptor.intercept(context, { handle }))).toBeUndefined();
  expect([ran.mock.calls.length, headers]).toEqual([1, ['idempotent-replay']]);
});

it.each<[FailureKind, string, string]>([
  ['conflict', 'runs again', 'test.failed'],
  ['unprocessable', 'runs again', 'test.failed'],
  ['unavailable', 'learns that the outcome is unknown', 'idempotency.outcome_unknown'],
  ['internal', 'learns that the outcome is unknown', 'idempotency.outcome_unknown'],
])('after a failure %s of a route that acts outside the database, a repetition %s', async (kind, _what, expected) => {
  keptAnswers();
  const { answer, failed } = failing(kind);
  await expect(answer()).rejects.toBe(failed);
  await expect(answer()).rejects.toMatchObject({ failure: { code: expected } });
});

it('tells a repetition the code of the failure', async () => {
  keptAnswers();
  const { answer, failed } = failing('unavailable');
  await expect(answer()).rejects.toBe(failed);
  await expect(answer()).rejects.toMatchObject({
    failure: { message: expect.stringContaining('failed with test.failed'), details: { first_code: 'test.failed' } },
  });
});

it('answers with the failure of the route if that cannot be kept either', async () => {
  keptAnswers();
  jest.spyOn(records, 'complete').mockRejectedValue(new Error('The disk is full, too.'));
  const { answer, failed } = failing('unavailable');
  await expect(answer()).rejects.toBe(failed);
  await expect(answer()).rejects.toMatchObject({ failure: { code: 'idempotency.in_progress' } });
});
