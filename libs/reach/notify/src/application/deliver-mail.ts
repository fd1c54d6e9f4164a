import type { PersonId, TenantId, UnitOfWork } from '#lib/kernel';
import type { PlaceParts } from '../domain/place.js';
import { renderMail } from '../domain/render-mail.js';
import type { PlaceDelivery } from './deliver-outbox.js';
import type { Audience, Delivery, Mailer, OutboxEntry } from './notify.ports.js';
import type { ReadContent } from './read-content.js';

/** To a person of the tenant, or to an address that a document of theirs names. Without a mail server nothing is sent. */
export class DeliverMail implements PlaceDelivery {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly contents: ReadContent,
    private readonly audience: Audience,
    private readonly mailer: Mailer | null,
  ) {}

  async deliver(tenantId: TenantId, entry: OutboxEntry, { kind, target, showing }: PlaceParts): Promise<Delivery> {
    if (this.mailer === null) return { kind: 'delivered' };
    const to = kind === 'address' ? target : await this.#addressOf(tenantId, target as PersonId);
    const found = to === null ? null : await this.contents.execute(tenantId, entry, showing);
    if (to === null || found === null) return { kind: 'delivered' };
    return this.mailer.send({ to, ...renderMail(found.content, found.url), messageId: entry.id });
  }

  async #addressOf(tenantId: TenantId, id: PersonId): Promise<string | null> {
    const [person] = await this.uow.run(tenantId, (tx) => this.audience.people(tx, [id]));
    return person?.email ?? null;
  }
}
