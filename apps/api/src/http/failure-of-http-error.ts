import type { Failure } from '#lib/kernel';

/** A request that ended early, or is no HTTP. */
export const malformed: Failure = {
  kind: 'invalid',
  code: 'request.malformed',
  message: 'The request cannot be read as HTTP.',
  action: 'Check the URL’s encoding and the headers.',
};

/** A body beyond the limit of the server. */
export const bodyTooLarge: Failure = {
  kind: 'too_large',
  code: 'request.too_large',
  message: 'The body is larger than this server accepts.',
  action: 'Send a smaller document.',
};

/** Failures for requests that the HTTP layer refuses before any controller runs, by status. Their causes' texts may quote the request, so they are not passed on. */
const byStatus: Record<number, Failure> = {
  400: malformed,
  404: {
    kind: 'not_found',
    code: 'route.not_found',
    message: 'There is no such route.',
    action: 'Check the address and the method against the API’s description.',
    details: { route: 'GET /v1/openapi.json' },
  },
  408: {
    kind: 'unavailable',
    code: 'request.timeout',
    message: 'The request did not arrive in time.',
    action: 'Send it again, with the same Idempotency-Key.',
  },
  413: bodyTooLarge,
  414: {
    kind: 'invalid',
    code: 'request.malformed',
    message: 'A part of the URL is too long.',
    action: 'Shorten it.',
  },
  415: {
    kind: 'unsupported_media_type',
    code: 'request.media_type',
    message: 'This content type is not accepted here.',
    action: 'Send application/json, or application/yaml if the route takes it, without a content encoding.',
  },
  431: {
    kind: 'invalid',
    code: 'request.headers_too_large',
    message: 'The URL and the headers are larger than this server reads.',
    action: 'Shorten them: a cursor, a filter or a cookie.',
  },
  503: {
    kind: 'unavailable',
    code: 'request.timeout',
    message: 'The answer took too long.',
    action: 'Retry with the same Idempotency-Key.',
    retryAfterSeconds: 2,
  },
};

/** The failure for an HTTP status the framework chose, or undefined if the status says nothing to a caller. */
export const failureOfStatus = (status: number): Failure | undefined => byStatus[status];
