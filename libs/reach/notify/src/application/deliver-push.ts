import { visibleText, type TenantId, type UnitOfWork } from '#lib/kernel';
import { clip } from '../domain/block-kit.js';
import type { PlaceParts } from '../domain/place.js';
import type { PlaceDelivery } from './deliver-outbox.js';
import type { Delivery, OutboxEntry, PushSender, PushSubscriptions } from './notify.ports.js';
import type { ReadContent } from './read-content.js';

const TITLE_CHARACTERS = 200;

/** To a person's browser: what waits, and where; a subscription that its push service no longer knows is ended. */
export class DeliverPush implements PlaceDelivery {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly contents: ReadContent,
    private readonly subscriptions: PushSubscriptions,
    private readonly sender: PushSender,
  ) {}

  async deliver(tenantId: TenantId, entry: OutboxEntry, { target, showing }: PlaceParts): Promise<Delivery> {
    const found = await this.contents.execute(tenantId, entry, showing);
    const to = await this.uow.run(tenantId, async (tx) => ({
      subscription: await this.subscriptions.find(tx, target),
      key: await this.subscriptions.key(tx),
    }));
    if (found === null || to.subscription === null) return { kind: 'delivered' };
    const payload = JSON.stringify({
      title: clip(visibleText(found.title), TITLE_CHARACTERS),
      url: found.url,
      tag: entry.payload.request_id ?? entry.payload.run_id ?? entry.id,
    });
    const sent = await this.sender.send(tenantId, to.key, to.subscription, payload);
    if (sent !== 'gone') return sent;
    await this.uow.run(tenantId, (tx) => this.subscriptions.end(tx, target, null));
    return { kind: 'delivered' };
  }
}
