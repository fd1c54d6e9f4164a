import { createHmac, timingSafeEqual } from 'node:crypto';

/** The largest difference between Slack's clock and ours, in both directions (T12). */
const WINDOW_SECONDS = 300;

/** The headers of a request of Slack. */
export interface SlackHeaders {
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** Slack's signature of a body at a moment (Verifying requests from Slack, version v0). */
const slackSignature = (secret: string, timestamp: string, body: string): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`, 'utf8').digest('hex')}`;

/**
 * Whether Slack sent this body, now. The signature covers the raw body and is compared in constant time.
 *
 * @param now epoch milliseconds.
 */
export function isFromSlack(
  secret: string,
  body: string,
  { timestamp, signature }: SlackHeaders,
  now: number,
): boolean {
  if (timestamp === undefined || signature === undefined) return false;
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(now / 1_000 - Number(timestamp)) > WINDOW_SECONDS) return false;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(slackSignature(secret, timestamp, body)));
}
