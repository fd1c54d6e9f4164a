import type { NoticeSource, NoticeToTell } from '#lib/delivery';
import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { EndpointStore } from './webhook.ports.js';

/** The notice for the owner that an endpoint was switched off. */
export class WebhookNotices implements NoticeSource<'webhook.switched_off'> {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly endpoints: Pick<EndpointStore, 'find' | 'told'>,
    private readonly publicUrl: string,
  ) {}

  /** Null if it is on again, or was removed. */
  async read(tx: Tx, { webhook_id: id }: OutboxPayloads['webhook.switched_off']): Promise<NoticeToTell | null> {
    const endpoint = await this.endpoints.find(tx, id);
    if (endpoint === null || endpoint.enabled) return null;
    return {
      id: `${endpoint.id}:${String(endpoint.failingSince)}`,
      title: `The webhook to ${endpoint.url} was switched off`,
      lines: [
        endpoint.offReason === 'gone'
          ? 'Its receiver answered 410 Gone.'
          : 'Its receiver has taken no event for three days.',
        'Events that come now are not sent. The page of the webhook shows the answers.',
        'Correct the receiver. Then switch the webhook on again on its page.',
      ],
      done: null,
      words: null,
      url: new URL(`/settings/webhooks/${endpoint.id}`, this.publicUrl).toString(),
      environment: null,
      people: await this.endpoints.told(tx, endpoint.id),
      always: true,
      alsoTo: [],
    };
  }
}
