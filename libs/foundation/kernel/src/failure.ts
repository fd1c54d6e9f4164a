/** The meaning of a refusal for a caller; the API maps each kind to one HTTP status (RFC 9110). */
export type FailureKind =
  | 'invalid' // 400, or 422 if the document is well-formed and wrong
  | 'unprocessable' // 422
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not_found' // 404
  | 'conflict' // 409
  | 'precondition_failed' // 412
  | 'precondition_required' // 428
  | 'too_large' // 413
  | 'unsupported_media_type' // 415
  | 'rate_limited' // 429
  | 'internal' // 500
  | 'unavailable'; // 503

/** One thing wrong inside a submitted document. */
export interface FieldError {
  /** Where: a JSON Pointer (RFC 6901) into the submitted document. */
  readonly pointer: string;
  /** A stable code, `area.what`. */
  readonly code: string;
  readonly message: string;
  /** 1-based position for documents people write as text. */
  readonly line?: number;
  readonly column?: number;
  /** The value that was probably meant. */
  readonly suggestion?: string;
}

/** A reason for a policy's decision (one entry of a decision's `reasons`). */
export interface ReasonView {
  readonly code: string;
  readonly message: string;
  readonly rule: string;
  /** Of `freeze.active`: the end of the freeze, as RFC 3339 writes it. */
  readonly details?: { readonly until: string };
}

/**
 * A refusal as a value: the event, and the action open to the caller. `code` is stable and reads
 * `approval.already_decided`; `message` and `action` are for people and never carry secrets.
 */
export interface Failure {
  readonly kind: FailureKind;
  readonly code: string;
  readonly message: string;
  /** The action open to the caller. */
  readonly action?: string;
  readonly errors?: readonly FieldError[];
  /** The reasons of the policy decision behind a refusal. */
  readonly reasons?: readonly ReasonView[];
  /** Facts for programs, each code its own; never secrets. The API answers with them as `details`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds to wait before asking again, for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds?: number;
}

/**
 * A {@link Failure} thrown if a Result would only be passed upwards. Thrown inside a unit of work it rolls the
 * transaction back; return `err(...)` instead if the refusal itself must leave a record.
 */
export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(`${failure.code}: ${failure.message}`, options);
    this.name = 'FailureError';
  }
}

/** Shorthand for `throw new FailureError(...)` in expressions. */
export function fail(failure: Failure): never {
  throw new FailureError(failure);
}

/** An environment variable of a process that makes no sense; the message names it, and never a value that may be secret. */
export const wrongSetting = (message: string): FailureError =>
  new FailureError({
    kind: 'unavailable',
    code: 'start.wrong_setting',
    message,
    action: 'Correct it and start again; docs/operating.md lists every setting.',
  });

/** The failure for a resource that is missing, or not the caller's: one wording, so that it tells nothing (T19). */
export function notFound(what: string): Failure {
  return {
    kind: 'not_found',
    code: 'resource.not_found',
    message: `There is no such ${what}.`,
    action: 'Check the id, and that your credential belongs to the tenant that holds it.',
  };
}
