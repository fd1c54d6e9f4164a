import type { Receiver } from '#lib/connection';
import {
  actorOf,
  type AuditSink,
  type LogFollowing,
  type Outbox,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { failureInWords } from '#lib/outbound';
import { answeredTry, deliveryOutcome, unansweredTry, type DeliveryTry } from '../domain/delivery-outcome.js';
import type { WebhookDeliveryId } from '../domain/ids.js';
import { signedHeaders } from '../domain/signed-headers.js';
import {
  FAILING_MS,
  sameReceiver,
  subscribes,
  type OffReason,
  type WebhookEndpoint,
} from '../domain/webhook-endpoint.js';
import { settleFollowing } from './settle-following.js';
import type { DeliveryStore, EndpointSecrets, EndpointStore, WebhookDelivery } from './webhook.ports.js';

/** Longer than one attempt may take; another worker tries after it. */
const LEASE_MS = 30_000;

/** The parts that deliver. */
export interface DeliverWebhookParts {
  readonly endpoints: EndpointStore;
  readonly secrets: EndpointSecrets;
  readonly deliveries: DeliveryStore;
  readonly receiver: Receiver;
  readonly following: LogFollowing;
  readonly outbox: Outbox;
  readonly audit: AuditSink;
}

/** A delivery that this worker has taken. */
interface Taken {
  readonly delivery: WebhookDelivery;
  readonly endpoint: WebhookEndpoint;
  readonly secrets: readonly string[];
  readonly now: number;
}

/**
 * One attempt of one delivery. Its transaction commits before anything is sent, so that no two workers send at the same time. A
 * failure is tried again for a day. An endpoint that is gone, or that fails for three days, is switched off, and its owner is told.
 */
export class DeliverWebhook {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: DeliverWebhookParts,
  ) {}

  /** Does nothing if the delivery is settled, not due, or leased by another worker. Do not call inside a transaction. */
  async execute(tenantId: TenantId, id: string): Promise<void> {
    // The job of this kind names a delivery.
    const taken = await this.#take(tenantId, id as WebhookDeliveryId);
    if (taken === null) return;
    if (!subscribes(taken.endpoint, taken.delivery.event)) {
      const { now } = taken;
      const unsent = unansweredTry(now, 'The webhook gets this event no more, so it was not sent.');
      return this.#record(tenantId, taken, unsent, (tx) => this.#dropped(tx, taken, unsent));
    }
    const tried = await this.#send(tenantId, taken);
    await this.#record(tenantId, taken, tried, (tx) => this.#settle(tx, taken, tried));
  }

  /** If the record fails, the delivery alone gets its attempt, and its endpoint learns nothing. So the lease ends. */
  async #record(
    tenantId: TenantId,
    { delivery }: Taken,
    tried: DeliveryTry,
    write: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    try {
      await this.uow.run(tenantId, write);
    } catch (error) {
      // A lease that cannot be given back ends by itself.
      await this.uow.run(tenantId, (tx) => this.#writeAlone(tx, delivery, tried)).catch(() => undefined);
      throw error;
    }
  }

  #writeAlone(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void> {
    const { deliveries } = this.parts;
    const answered = deliveryOutcome(tried.status, delivery.attempts);
    if (answered.kind === 'delivered') return deliveries.delivered(tx, delivery, tried);
    const outcome = deliveryOutcome(null, delivery.attempts);
    return outcome.kind === 'later'
      ? deliveries.later(tx, delivery, tried, outcome.delayMs)
      : deliveries.failed(tx, delivery, tried);
  }

  #take(tenantId: TenantId, id: WebhookDeliveryId): Promise<Taken | null> {
    const { deliveries, endpoints, secrets } = this.parts;
    return this.uow.run(tenantId, async (tx) => {
      const delivery = await deliveries.claim(tx, id, LEASE_MS);
      const endpoint = delivery === null ? null : await endpoints.find(tx, delivery.endpointId);
      if (delivery === null || endpoint === null) return null;
      return { delivery, endpoint, secrets: await secrets.valid(tx, endpoint.id), now: await tx.now() };
    });
  }

  async #send(tenantId: TenantId, { delivery, endpoint, secrets, now }: Taken): Promise<DeliveryTry> {
    const { id, body } = delivery;
    const { url, ca } = endpoint;
    try {
      const headers = signedHeaders(id, now, body, secrets);
      return answeredTry(now, await this.parts.receiver.send(tenantId, { url, ca, headers, body }));
    } catch (error) {
      return unansweredTry(now, failureInWords(error));
    }
  }

  /** Written before its endpoint was changed to get fewer events. */
  async #dropped(tx: Tx, { delivery, endpoint }: Taken, unsent: DeliveryTry): Promise<void> {
    const { deliveries } = this.parts;
    await deliveries.failed(tx, delivery, unsent);
    await deliveries.wakeNext(tx, endpoint.id);
  }

  async #settle(tx: Tx, { delivery, endpoint }: Taken, tried: DeliveryTry): Promise<void> {
    const { deliveries, endpoints } = this.parts;
    const answered = deliveryOutcome(tried.status, delivery.attempts);
    // The lock first, then the endpoint, then its delivery: a change of the endpoint locks in the same order.
    if (answered.kind !== 'delivered') await endpoints.lockForChange(tx);
    const now = await endpoints.find(tx, endpoint.id);
    // The answer of a former address says nothing of the endpoint. Its 410 is a failure like any other.
    const current = now !== null && sameReceiver(now, endpoint);
    const outcome = answered.kind === 'gone' && !current ? deliveryOutcome(null, delivery.attempts) : answered;
    const since = current ? await endpoints.note(tx, endpoint.id, outcome.kind === 'delivered') : null;
    if (outcome.kind === 'delivered') {
      await deliveries.delivered(tx, delivery, tried);
      // A backlog drains as fast as its receiver takes it. The looks of the workers would bring four a second.
      return deliveries.wakeNext(tx, endpoint.id);
    }
    if (outcome.kind === 'later') return deliveries.later(tx, delivery, tried, outcome.delayMs);
    await deliveries.failed(tx, delivery, tried);
    if (outcome.kind === 'gone') await this.#switchOff(tx, endpoint, 'gone');
    else if (since !== null && since <= tried.at - FAILING_MS) await this.#switchOff(tx, endpoint, 'failing');
  }

  async #switchOff(tx: Tx, { id, url }: WebhookEndpoint, reason: OffReason): Promise<void> {
    const { endpoints, following, outbox, audit } = this.parts;
    if (!(await endpoints.switchOff(tx, id, reason))) return;
    await settleFollowing(tx, endpoints, following);
    await audit.record(tx, {
      action: 'webhook.switched_off',
      actor: actorOf({ kind: 'system', tenantId: tx.tenantId, name: 'webhook-delivery' }),
      level: 'full',
      subject: { type: 'webhook', id },
      payload: { url, reason },
    });
    await outbox.write(tx, { topic: 'webhook.switched_off', payload: { webhook_id: id } });
  }
}
