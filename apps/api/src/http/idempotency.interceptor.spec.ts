import type { CustomDecorator, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { defer, lastValueFrom, throwError } from 'rxjs';
import type { Database } from '#lib/database';
import {
  FailureError,
  newId,
  type CredentialId,
  type FailureKind,
  type PersonPrincipal,
  type TenantId,
  type Tx,
} from '#lib/kernel';
import { FakeUnitOfWork } from '../../../../libs/foundation/kernel/src/fake-unit-of-work.js';
import { FakeIdempotencyRecords } from '../../../../libs/people/idempotency/src/application/fake-idempotency-records.js';
import { samplePerson } from '../../../../test/support/sample-callers.js';
import { bindPrincipal } from './access.js';
import {
  IdempotencyInterceptor,
  Idempotent,
  IdempotentWithSecretAnswer,
  OneTransaction,
} from './idempotency.interceptor.js';

const person: PersonPrincipal = { ...samplePerson(newId<TenantId>()), scopes: ['submit'], signedInAt: 1 };

let uow: FakeUnitOfWork;
let records: FakeIdempotencyRecords;
beforeEach(() => {
  uow = new FakeUnitOfWork();
  records = new FakeIdempotencyRecords(uow);
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

/** A keyed request of the person, or of another caller. */
function keyedRequest(caller = person): object {
  const request = { headers: { 'idempotency-key': 'k' }, method: 'POST', routeOptions: {}, params: {}, query: {} };
  // Only the members that the interceptor reads are there.
  bindPrincipal(request as unknown as FastifyRequest, caller);
  return request;
}

/** Requests with one key to a route that acts outside the database, and fails each time. */
function failing(kind: FailureKind) {
  const route = (): void => undefined;
  Idempotent({ actsOutside: 'It sends mail.' })({}, 'route', { value: route });
  const request = keyedRequest();
  const failed = new FailureError({ kind, code: 'test.failed', message: 'It failed.' });
  const interceptor = new IdempotencyInterceptor(new Reflector(), { ...colliding, uow }, records);
  const handle = () => throwError(() => failed);
  const answer = () => lastValueFrom(interceptor.intercept(contextOf(route, request, {}), { handle }));
  return { answer, failed };
}

/** A route in one transaction, which answers without a body: sends requests to it, and tells how often it ran. */
function bodiless() {
  const route = (): void => undefined;
  Idempotent()({}, 'route', { value: route });
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
    uow,
    enclosingTransactions: {
      enclose: (tenantId, work) => uow.run(tenantId, (tx) => work({ tx, broken: false })),
    },
  };
  const interceptor = new IdempotencyInterceptor(new Reflector(), enclosing, records);
  const handle = () => defer(() => Promise.resolve(ran() as undefined));
  const send = (request: object): Promise<unknown> =>
    lastValueFrom(interceptor.intercept(contextOf(route, request, reply), { handle }));
  return { send, ran, headers };
}

it('answers a repetition without a body, too, and runs once', async () => {
  const { send, ran, headers } = bodiless();
  for (let each = 0; each < 2; each += 1) expect(await send(keyedRequest())).toBeUndefined();
  expect([ran.mock.calls.length, headers]).toEqual([1, ['idempotent-replay']]);
});

it.each([
  ['credential', { ...person, credentialId: newId<CredentialId>() }],
  ['tenant', { ...person, tenantId: newId<TenantId>() }],
])('runs for the same key of another %s', async (_what, other) => {
  const { send, ran, headers } = bodiless();
  await send(keyedRequest());
  await send(keyedRequest(other));
  expect([ran.mock.calls.length, headers]).toEqual([2, []]);
});

it.each<[FailureKind, string, string]>([
  ['conflict', 'runs again', 'test.failed'],
  ['unprocessable', 'runs again', 'test.failed'],
  ['unavailable', 'learns that the outcome is unknown', 'idempotency.outcome_unknown'],
  ['internal', 'learns that the outcome is unknown', 'idempotency.outcome_unknown'],
])('after a failure %s of a route that acts outside the database, a repetition %s', async (kind, _what, expected) => {
  const { answer, failed } = failing(kind);
  await expect(answer()).rejects.toBe(failed);
  await expect(answer()).rejects.toMatchObject({ failure: { code: expected } });
});

it('tells a repetition the code of the failure', async () => {
  const { answer, failed } = failing('unavailable');
  await expect(answer()).rejects.toBe(failed);
  await expect(answer()).rejects.toMatchObject({
    failure: { message: expect.stringContaining('failed with test.failed'), details: { first_code: 'test.failed' } },
  });
});

it('answers with the failure of the route if that cannot be kept, and a minute later with an unknown outcome', async () => {
  jest.spyOn(records, 'complete').mockRejectedValue(new Error('The disk is full, too.'));
  const { answer, failed } = failing('unavailable');
  await expect(answer()).rejects.toBe(failed);
  await expect(answer()).rejects.toMatchObject({ failure: { code: 'idempotency.in_progress' } });
  uow.now += 60_001;
  await expect(answer()).rejects.toMatchObject({
    failure: { code: 'idempotency.outcome_unknown', message: expect.stringContaining('was not answered') },
  });
});
