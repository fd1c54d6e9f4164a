import { errorCode } from '#lib/kernel';
/** Errors that a connection ends with before the first byte of the request was sent. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Client errors that a proxy may answer with after it has forwarded the request. They are Request Timeout, Too Early,
 * closed by the client.
 */
const AFTER_FORWARDING = new Set([408, 425, 499]);

/** RFC 9110 section 15: a redirection or a client error says that the request was not carried out. */
export const saysNotCarriedOut = (status: number): boolean =>
  status >= 300 && status < 500 && !AFTER_FORWARDING.has(status);

/** The code of an error with which a connection ended before anything was sent; null for any other error. */
export function codeBeforeSending(cause: object): string | null {
  const code = errorCode(cause);
  return code !== undefined && BEFORE_SENDING.has(code) ? code : null;
}

/** Node wraps the errors of all addresses in an AggregateError, and undici in a cause. */
export function rootCause(error: unknown): object {
  if (typeof error !== 'object' || error === null) return {};
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return rootCause(error.errors[0]);
  const cause = 'cause' in error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? rootCause(cause) : error;
}
