import type { GuardedFetch } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import type { Delivery } from '../../application/delivery.ports.js';
import type { PushKey, PushSender, PushSubscription } from './push.ports.js';

/** A push service may drop a message after this time. */
const TTL_SECONDS = 3_600;

/** Web Push (RFC 8030), encrypted for the browser (RFC 8291). The rules for outbound addresses apply as to tool calls. */
export class WebPushSender implements PushSender {
  /** The operator's address for push services: they want one by https or mail (RFC 8292, section 2.1). */
  readonly #subject: string;

  constructor(
    private readonly fetch: GuardedFetch,
    publicUrl: string,
  ) {
    this.#subject = publicUrl.startsWith('https:') ? publicUrl : 'mailto:countersign@localhost';
  }

  async send(
    tenantId: TenantId,
    key: PushKey,
    subscription: PushSubscription,
    payload: string,
  ): Promise<Delivery | 'gone'> {
    const { endpoint, p256dh, auth } = subscription;
    const { default: webPush } = await import('web-push');
    const { method, headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails: { subject: this.#subject, publicKey: key.publicKey, privateKey: key.privateKey },
      TTL: TTL_SECONDS,
      contentEncoding: 'aes128gcm',
    });
    let status: number;
    try {
      // The connection sets the length itself.
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
