import type { TenantId, Tx, UnitOfWork } from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';
import { readPlace, type PlaceParts } from '../domain/place.js';
import { MOST_ATTEMPTS, retryDelayMs } from '../domain/retry-schedule.js';
import type { Delivery, OutboxEntry, OutboxRepository } from './notify.ports.js';
import type { SpreadMessage } from './spread-message.js';

/** Longer than any delivery may take; after it another worker tries. */
const LEASE_MS = 90_000;
/** Until what came before is told. */
const IN_TURN_MS = 500;

/** Delivers to one kind of place. */
export interface PlaceDelivery {
  deliver(tenantId: TenantId, entry: OutboxEntry, place: PlaceParts): Promise<Delivery>;
}

/** A message that nobody else works on, and whether others have to be told before it. */
interface Taken {
  readonly entry: OutboxEntry;
  readonly place: PlaceParts;
  readonly afterOthers: boolean;
}

export type PlaceDeliveries = Readonly<Record<PlaceParts['kind'], PlaceDelivery>>;

/**
 * One turn of one message: taken so that nobody else takes it, delivered to its place, and what came of it written down. One
 * that a stage wrote is spread over places first, and the first of them is delivered to at once, without a job between:
 * somebody waits there. Edits of one message collapse into the last. What a run did is told at one place in the order in which it
 * did it. Failures are tried again with growing pauses, and then left to an admin as `failed`; waiting for a channel's turn is no
 * failure.
 */
export class DeliverOutbox {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: OutboxRepository,
    private readonly spreading: SpreadMessage,
    private readonly places: PlaceDeliveries,
  ) {}

  /**
   * Does nothing if the message is delivered, not due, or in other hands.
   *
   * @returns in how many milliseconds the message is due again; null if it is settled or waits long.
   */
  async execute(tenantId: TenantId, id: string): Promise<number | null> {
    const taken = await this.#take(tenantId, id);
    if (taken === null) return null;
    const { entry, place } = taken;
    if (taken.afterOthers) {
      await this.uow.run(tenantId, (tx) => this.outbox.postpone(tx, entry, IN_TURN_MS));
      return IN_TURN_MS;
    }
    const facts = {
      'countersign.topic': entry.topic,
      'countersign.outbox_id': entry.id,
      'countersign.attempt': entry.attempts,
    };
    const delivery = await inSpan(`deliver to ${place.kind}`, 'calls', facts, async () => {
      const came = await this.places[place.kind].deliver(tenantId, entry, place).catch(asDelivery);
      noteOn({ 'countersign.outcome': came.kind });
      return came;
    });
    await this.uow.run(tenantId, (tx) => this.#settle(tx, entry, delivery));
    return delivery.kind === 'later' ? delivery.delayMs : null;
  }

  /** The message, or, of one that is spread, the message to the first place; in one transaction. */
  async #take(tenantId: TenantId, id: string): Promise<Taken | null> {
    try {
      return await this.uow.run(tenantId, async (tx) => {
        const entry = await this.outbox.claim(tx, id, LEASE_MS);
        const first = entry?.place === null ? await this.#spread(tx, entry) : entry;
        if (first?.place == null) return null;
        const place = readPlace(first.place);
        if (place.showing !== 'subject')
          return { entry: first, place, afterOthers: await this.outbox.comesAfterPending(tx, first) };
        // The message of a request shows how things stand, so the last of several edits shows all of them.
        if (place.kind === 'slack' && first === entry && (await this.outbox.comesBeforeSame(tx, first))) {
          await this.outbox.delivered(tx, first);
          return null;
        }
        return { entry: first, place, afterOthers: false };
      });
    } catch (error) {
      // Nothing of it was kept, not even the attempt.
      await this.uow.run(tenantId, async (tx) => {
        const entry = await this.outbox.claim(tx, id, LEASE_MS);
        if (entry !== null) await this.#settle(tx, entry, asDelivery(error));
      });
      return null;
    }
  }

  async #spread(tx: Tx, cause: OutboxEntry): Promise<OutboxEntry | null> {
    const first = await this.spreading.execute(tx, cause, LEASE_MS);
    await this.outbox.delivered(tx, cause);
    return first;
  }

  async #settle(tx: Tx, entry: OutboxEntry, delivery: Delivery): Promise<void> {
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
  }
}

const asDelivery = (error: unknown): Delivery => ({
  kind: 'failed',
  error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  final: false,
});
