import type { Failure, FailureKind } from '#lib/kernel';
import { problemDetailsSchema, type Problem } from '#lib/api-schemas';

const statusOf: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  precondition_required: 428,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

const titleOf: Record<FailureKind, string> = {
  invalid: 'The request is malformed',
  unauthenticated: 'Who calls is not known',
  forbidden: 'The caller may not do this',
  not_found: 'Not found',
  conflict: 'The state of things does not allow this',
  precondition_failed: 'Somebody else changed it first',
  too_large: 'The request is too large',
  unsupported_media_type: 'The content type is not supported',
  unprocessable: 'The document is not valid',
  precondition_required: 'A precondition is missing',
  rate_limited: 'Too many requests',
  internal: 'Something went wrong here',
  unavailable: 'Not available at the moment',
};

/** The problem document (RFC 9457) of a failure; `instance` carries the request id, by which an operator finds the log. */
export function problemOf(failure: Failure, requestId: string): Problem {
  return {
    type: `urn:countersign:problem:${failure.code}`,
    title: titleOf[failure.kind],
    status: statusOf[failure.kind],
    detail: failure.message,
    code: failure.code,
    ...(failure.action === undefined ? {} : { action: failure.action }),
    ...(failure.details === undefined ? {} : { details: problemDetailsSchema.parse(failure.details) }),
    ...(failure.errors === undefined ? {} : { errors: [...failure.errors] }),
    ...(failure.reasons === undefined ? {} : { reasons: [...failure.reasons] }),
    instance: `urn:countersign:request:${requestId}`,
  };
}

/** The only answer that a caller gets to an unexpected error. */
export const unexpectedFailure: Failure = {
  kind: 'internal',
  code: 'internal.unexpected',
  message: 'An unexpected error was recorded.',
  action: 'Retry with the same Idempotency-Key. If it happens again, tell the operator the request id in `instance`.',
};
