import type { TenantId, UnitOfWork } from '#lib/kernel';
import { readPlace, type PlaceParts } from '../domain/place.js';
import { MOST_ATTEMPTS, retryDelayMs } from '../domain/retry-schedule.js';
import type { Delivery, OutboxEntry, OutboxRepository } from './notify.ports.js';
import type { SpreadMessage } from './spread-message.js';

/** Longer than any delivery may take; after it another worker tries. */
const LEASE_MS = 90_000;

/** Delivers to one kind of place. */
export interface PlaceDelivery {
  deliver(tenantId: TenantId, entry: OutboxEntry, place: PlaceParts): Promise<Delivery>;
}

export type PlaceDeliveries = Readonly<Record<PlaceParts['kind'], PlaceDelivery>>;

/**
 * One turn of one message: taken so that nobody else takes it, spread over places or delivered to its own, and what came of
 * it written down. Failures are tried again with growing pauses, and then left to an admin as `failed`; waiting for a
 * channel's turn is no failure.
 */
export class DeliverOutbox {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: OutboxRepository,
    private readonly spreading: SpreadMessage,
    private readonly places: PlaceDeliveries,
  ) {}

  /** Does nothing where the message is delivered, not due, or in other hands. */
  async execute(tenantId: TenantId, id: string): Promise<void> {
    const entry = await this.uow.run(tenantId, (tx) => this.outbox.claim(tx, id, LEASE_MS));
    if (entry === null) return;
    const delivery = await this.#deliver(tenantId, entry).catch(asDelivery);
    await this.uow.run(tenantId, async (tx) => {
      switch (delivery.kind) {
        case 'delivered':
          await this.outbox.delivered(tx, entry);
          return;
        case 'later':
          await this.outbox.postpone(tx, entry, delivery.delayMs);
          return;
        case 'failed':
          if (delivery.final || entry.attempts >= MOST_ATTEMPTS) await this.outbox.giveUp(tx, entry, delivery.error);
          else await this.outbox.failedOnce(tx, entry, delivery.error, retryDelayMs(entry.attempts));
      }
    });
  }

  async #deliver(tenantId: TenantId, entry: OutboxEntry): Promise<Delivery> {
    if (entry.place === null) {
      await this.spreading.execute(tenantId, entry);
      return { kind: 'delivered' };
    }
    const place = readPlace(entry.place);
    return this.places[place.kind].deliver(tenantId, entry, place);
  }
}

const asDelivery = (error: unknown): Delivery => ({
  kind: 'failed',
  error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  final: false,
});
