import type { GuardedFetch } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import type { Delivery, PushKey, PushSender, PushSubscription } from '../application/notify.ports.js';

/** What waits is no use after so long. */
const TTL_SECONDS = 3_600;

/** Web Push (RFC 8030), encrypted for the browser (RFC 8291); connects as tool calls do, past the rules for outbound addresses. */
export class WebPushSender implements PushSender {
  /** @param subject whom a push service turns to: an address of the operator's, https or mailto. */
  constructor(
    private readonly fetch: GuardedFetch,
    private readonly subject: string,
  ) {}

  async send(
    tenantId: TenantId,
    key: PushKey,
    subscription: PushSubscription,
    payload: string,
  ): Promise<Delivery | 'gone'> {
    const { endpoint, p256dh, auth } = subscription;
    const { default: webPush } = await import('web-push');
    const { method, headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails: { subject: this.subject, publicKey: key.publicKey, privateKey: key.privateKey },
      TTL: TTL_SECONDS,
      contentEncoding: 'aes128gcm',
    });
    let status: number;
    try {
      // The length is the connection's own to say.
      const { 'Content-Length': _length, ...rest } = headers;
      const sent = await this.fetch(tenantId, endpoint, { method, headers: rest, body });
      status = sent.status;
      if (status === 429) return { kind: 'later', delayMs: retryAfterMs(sent.headers.get('retry-after')) };
    } catch (error) {
      return { kind: 'failed', error: `push: ${error instanceof Error ? error.name : 'failed'}`, final: false };
    }
    if (status >= 200 && status < 300) return { kind: 'delivered' };
    if (status === 404 || status === 410) return 'gone';
    return { kind: 'failed', error: `push: the service answered ${String(status)}`, final: status < 500 };
  }
}

function retryAfterMs(header: string | null): number {
  const seconds = Number(header ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(3_600, seconds) * 1_000 : 60_000;
}
