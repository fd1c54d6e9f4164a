import type { Failure, FailureKind } from '#lib/kernel';

const STATUS: Partial<Record<FailureKind, number>> = { invalid: 400, too_large: 413, unavailable: 503 };

/** An answer of the router itself, as problem+json (RFC 9457). */
export function answerOf(
  failure: Failure,
  requestId: string,
): { readonly status: number; readonly headers: Record<string, string>; readonly body: string } {
  const status = failure === bodyLate ? 408 : (STATUS[failure.kind] ?? 500);
  const { kind, code, message, action, retryAfterSeconds } = failure;
  const body = JSON.stringify({
    type: `urn:countersign:problem:${code}`,
    title: kind === 'unavailable' ? 'Not available at the moment' : 'The request is malformed',
    status,
    detail: message,
    code,
    ...(action === undefined ? {} : { action }),
    instance: `urn:countersign:request:${requestId}`,
  });
  return {
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body,
  };
}

export const cellUnavailable: Failure = {
  kind: 'unavailable',
  code: 'router.cell_unavailable',
  message: 'The cell of this organisation does not answer.',
  action: 'Try again, with the same Idempotency-Key. Other organisations are not affected.',
  retryAfterSeconds: 5,
};

export const noCell: Failure = {
  kind: 'unavailable',
  code: 'router.no_cell',
  message: 'The router has no cell for this request.',
  action: 'Name a default cell: countersign-router cell default NAME',
  retryAfterSeconds: 30,
};

export const mapTooOld: Failure = {
  kind: 'unavailable',
  code: 'router.map_too_old',
  message: 'The router has not been able to read its map for so long that the map counts no more.',
  action: 'The operator sees that the database of COUNTERSIGN_ROUTER_DATABASE_URL answers.',
  retryAfterSeconds: 30,
};

export const bodiesFull: Failure = {
  kind: 'unavailable',
  code: 'router.busy',
  message: 'The router reads as many bodies as it may at once, for all clients or for this one.',
  action: 'Wait as long as Retry-After says, and try again.',
  retryAfterSeconds: 1,
};

export const bodyLate: Failure = {
  kind: 'unavailable',
  code: 'request.timeout',
  message: 'The body of the request did not arrive in time.',
  action: 'Send it again, with the same Idempotency-Key.',
};

export const wrongTarget: Failure = {
  kind: 'invalid',
  code: 'router.wrong_target',
  message: 'The request names no path of this server.',
  action: 'Send a path that begins with a slash, of at most 8,192 characters.',
};

export const bodyTooLarge: Failure = {
  kind: 'too_large',
  code: 'request.too_large',
  message: 'The body of the request is too large.',
  action: 'Send less.',
};

export const headerTwice = (name: string): Failure => ({
  kind: 'invalid',
  code: 'router.header_twice',
  message: `The header ${name} stands twice in the request.`,
  action: 'Send it once.',
});
