import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { of } from 'rxjs';
import { FailureError, newId, type Principal, type TenantId } from '#lib/kernel';
import { bindPrincipal } from './access.js';
import { isLongBody, JsonBodyInterceptor, markKnown } from './json-body.interceptor.js';

const system: Principal = { kind: 'system', tenantId: newId<TenantId>(), name: 'worker' };
const LONGEST = 65_536;

// The interceptor reads these members of a request, and no other.
const requestOf = (body: unknown): FastifyRequest =>
  ({ body, headers: { 'content-type': 'application/json' } }) as unknown as FastifyRequest;

/** The body as a controller sees it, or the code of the refusal. */
function seen(request: FastifyRequest): unknown {
  // The interceptor asks its context for the request alone.
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  try {
    new JsonBodyInterceptor().intercept(context, { handle: () => of(null) });
    return request.body;
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : error;
  }
}

const sized = (bytes: number): Buffer => Buffer.from(JSON.stringify('x'.repeat(bytes - 2)));

it('parses JSON, and leaves other bodies as they are', () => {
  expect(seen(requestOf(Buffer.from('{"a":1}')))).toEqual({ a: 1 });
  expect(seen(requestOf(Buffer.alloc(0)))).toBeUndefined();
  expect(seen(requestOf('a: 1'))).toBe('a: 1');
  expect(seen(requestOf(Buffer.from('{"a":1,"a":2}')))).toBe('json.duplicate_key');
});

it('parses 64 KiB of anybody, and more of a caller who is known', () => {
  expect(isLongBody(requestOf(sized(LONGEST)))).toBe(false);
  expect(seen(requestOf(sized(LONGEST)))).toHaveLength(LONGEST - 2);
  expect(isLongBody(requestOf(sized(LONGEST + 1)))).toBe(true);
  expect(seen(requestOf(sized(LONGEST + 1)))).toBe('request.too_large');
  const [bound, marked] = [requestOf(sized(LONGEST + 1)), requestOf(sized(LONGEST + 1))];
  bindPrincipal(bound, system);
  markKnown(marked);
  expect(seen(bound)).toHaveLength(LONGEST - 1);
  expect(seen(marked)).toHaveLength(LONGEST - 1);
});
