import { Webhook } from 'standardwebhooks';

/** How long a replaced secret still signs, so that a receiver has time to change: a day. */
export const OVERLAP_MS = 24 * 3_600_000;

/**
 * The headers of a message (Standard Webhooks 1.0). Each secret that is valid gives a signature, the newest first.
 *
 * @param at the time of the attempt, epoch milliseconds.
 */
export function signedHeaders(
  id: string,
  at: number,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const moment = new Date(at);
  return {
    'content-type': 'application/json',
    'user-agent': 'Countersign-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, moment, body)).join(' '),
  };
}
