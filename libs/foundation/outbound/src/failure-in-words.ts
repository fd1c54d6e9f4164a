import { errorCode } from '#lib/kernel';
/** Codes of OpenSSL for a certificate that no known authority signed. */
const UNKNOWN_AUTHORITY = /^(UNABLE_TO_(GET|VERIFY)_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

/**
 * The reason why a request got no answer, for people who chose its address. undici wraps it in a cause. Node wraps the
 * errors of all addresses of a name in one error without a message.
 */
export function failureInWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner: unknown =
    ('errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined) ?? error.cause;
  if (inner instanceof Error) return failureInWords(inner);
  return UNKNOWN_AUTHORITY.test(errorCode(error) ?? '')
    ? `${error.message}. If your own authority signed the certificate, give the certificates of that authority.`
    : error.message;
}
