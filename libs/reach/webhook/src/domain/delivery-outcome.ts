import type { ReceiverAnswer } from '#lib/connection';
import { maskedBeginning } from '#lib/kernel';

/**
 * The waits after failed attempts, in milliseconds: as Standard Webhooks recommends, as far as a day goes. After the last
 * one the delivery has failed.
 */
const RETRY_MS: readonly number[] = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 22_800_000];

/** More of an answer is not kept. */
const ANSWER_CHARACTERS = 1_000;

/** One attempt, as the log keeps it. */
export interface DeliveryTry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Null if the receiver took it. */
  readonly error: string | null;
  /** The beginning of the answer, masked. */
  readonly answer: string | null;
}

/** The result of an attempt for its delivery. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'later'; readonly delayMs: number }
  | { readonly kind: 'failed' }
  /** The receiver said that it wants nothing any more. */
  | { readonly kind: 'gone' };

/** @param attempts how often it was tried, this time included. */
export function deliveryOutcome(status: number | null, attempts: number): DeliveryOutcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const delayMs = RETRY_MS[attempts - 1];
  return delayMs === undefined ? { kind: 'failed' } : { kind: 'later', delayMs };
}

/** The attempt that got this answer. */
export function answeredTry(at: number, { status, body }: ReceiverAnswer): DeliveryTry {
  const answer = shown(body);
  return { at, status, error: errorOf(status), answer: answer === '' ? null : answer };
}

/** The attempt that got none. */
export const unansweredTry = (at: number, error: string): DeliveryTry => ({
  at,
  status: null,
  error: shown(error),
  answer: null,
});

const shown = (text: string): string => maskedBeginning(text, ANSWER_CHARACTERS);

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${String(status)}. Redirects are not followed: name the final address.`;
  return `The receiver answered ${String(status)}.`;
}
