import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './test-authority.js';

/** An event as a receiver got it, verified with the library of Standard Webhooks. */
export interface ReceivedEvent {
  readonly id: string;
  readonly contentType: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The signatures of the message. */
  readonly signatures: readonly string[];
}

/** A receiver over HTTPS. Its certificate is that of `TEST_AUTHORITY`. */
export interface WebhookReceiver {
  readonly url: string;
  /** Events that were verified, in order of arrival: also those that it did not take. */
  readonly received: readonly ReceivedEvent[];
  /** How many messages no secret of it verifies. */
  readonly forged: () => number;
  /** The secrets that it knows. */
  readonly secrets: string[];
  /** The most messages that it had at the same time with one id. */
  readonly together: () => number;
  /** The status of further answers; null leaves them unanswered. */
  answers: { status: number | null; headers: Readonly<Record<string, string>>; afterMs: number };
  close(): Promise<void>;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const secrets: string[] = [];
  const under = new Map<string, number>();
  let forged = 0;
  let together = 0;
  const take = (headers: Readonly<Record<string, string>>, payload: string): boolean => {
    const known = secrets.some((secret) => {
      try {
        new Webhook(secret).verify(payload, headers);
        return true;
      } catch {
        return false;
      }
    });
    if (!known) return false;
    received.push({
      id: headers['webhook-id'] ?? '',
      contentType: headers['content-type'],
      body: JSON.parse(payload) as Readonly<Record<string, unknown>>,
      signatures: (headers['webhook-signature'] ?? '').split(' '),
    });
    return true;
  };
  const server: Server = createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, response) => {
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    under.set(id, (under.get(id) ?? 0) + 1);
    together = Math.max(together, under.get(id) ?? 0);
    // Also if its sender gave up.
    response.on('close', () => under.set(id, (under.get(id) ?? 1) - 1));
    void text(request).then((payload) => {
      const { status, headers: more, afterMs } = receiver.answers;
      const verified = take(headers, payload);
      if (!verified) forged += 1;
      if (status === null) return;
      setTimeout(() => {
        response.writeHead(verified ? status : 401, more).end(verified ? 'taken' : 'who are you?');
      }, afterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/in`,
    received,
    forged: () => forged,
    secrets,
    together: () => together,
    answers: { status: 204, headers: {}, afterMs: 0 },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
