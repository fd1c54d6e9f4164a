const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_MS = 200;
const MAX_MS = 10_000;

/** A statement that took too long takes as long again, and an answer is as long again. */
const FINAL: ReadonlySet<string> = new Set(['database.too_slow', 'connection.answer_too_long']);

/** Whether a refusal means "not now", so that the same request may succeed later. An unexpected error comes again. */
export const isPassing = ({ status, code }: { readonly status: number; readonly code: string }): boolean =>
  !FINAL.has(code) && (code === 'connection.failed' || code === 'idempotency.in_progress' || PASSING.has(status));

/** The member `retry_after_seconds` of a refusal: the header Retry-After in seconds (RFC 9110 section 10.2.3), none for a date. */
export function retryAfterOf(headers: Headers): { readonly retry_after_seconds?: number } {
  const told = headers.get('retry-after') ?? '';
  return /^\d+$/.test(told) ? { retry_after_seconds: Number(told) } : {};
}

/**
 * The wait before a request is sent again, in milliseconds: that of Retry-After, or 0.2 s, 0.4 s … 5 s. A random part
 * is added, so that clients that failed together do not come back together. It is at most the pause that this failure
 * has without Retry-After.
 *
 * @param failures how often it failed in a row, from 1.
 * @param told the `retry_after_seconds` of the last refusal.
 */
export function pauseMs(failures: number, told?: unknown): number {
  const half = Math.min(FIRST_MS * 2 ** failures, MAX_MS) / 2;
  return (typeof told === 'number' ? told * 1_000 : half) + Math.random() * half;
}
