import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { of } from 'rxjs';
import { FailureError } from '#lib/kernel';
import { leaveUnread } from './incoming-body.js';
import { JsonBodyInterceptor, markKnown } from './json-body.interceptor.js';

// The interceptor reads these members of a request, and no other.
const requestOf = (body: unknown): FastifyRequest =>
  ({ body, headers: { 'content-type': 'application/json' } }) as unknown as FastifyRequest;

/** The body as a controller sees it, or the code of the refusal. */
async function seen(request: FastifyRequest): Promise<unknown> {
  // The interceptor asks its context for the request alone.
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  try {
    await new JsonBodyInterceptor().intercept(context, { handle: () => of(null) });
    return request.body;
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : error;
  }
}

it('parses JSON, and leaves other bodies as they are', async () => {
  expect(await seen(requestOf(Buffer.from('{"a":1}')))).toEqual({ a: 1 });
  expect(await seen(requestOf(Buffer.alloc(0)))).toBeUndefined();
  expect(await seen(requestOf('a: 1'))).toBe('a: 1');
  expect(await seen(requestOf(Buffer.from('{"a":1,"a":2}')))).toBe('json.duplicate_key');
});

it('reads the rest of a long body of a caller who is known, and of no other', async () => {
  const read = jest.fn(() => Promise.resolve(Buffer.from('{"a":1}')));
  const [stranger, marked] = [requestOf(undefined), requestOf(undefined)];
  leaveUnread(stranger, read);
  expect(await seen(stranger)).toBe('request.too_large');
  expect(read).not.toHaveBeenCalled();
  leaveUnread(marked, read);
  markKnown(marked);
  expect(await seen(marked)).toEqual({ a: 1 });
});
