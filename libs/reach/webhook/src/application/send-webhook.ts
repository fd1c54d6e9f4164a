import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type JobQueue,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { TEST_CALL, toolBody } from '../domain/event-body.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import { TEST_EVENT } from '../domain/webhook-endpoint.js';
import type { DeliveryStore, EndpointSecrets, EndpointStore, WebhookDelivery } from './webhook.ports.js';

/**
 * Sends a test event, or an event of the log again under the same id. Failures: `resource.not_found`, `webhook.off`,
 * `webhook.no_secret`, `webhook.still_pending`.
 */
export class SendWebhook {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: EndpointStore,
    private readonly secrets: Pick<EndpointSecrets, 'holders'>,
    private readonly deliveries: DeliveryStore,
    private readonly jobs: JobQueue,
    private readonly audit: AuditSink,
  ) {}

  /** `tool.test`, also to an endpoint that subscribes to no event of tools. */
  test(by: PersonPrincipal, endpointId: WebhookEndpointId): Promise<Result<WebhookDelivery>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const refused = await this.#refused(tx, endpointId);
      if (refused !== null) return err(refused);
      const id = newId<WebhookDeliveryId>();
      const body = toolBody(TEST_EVENT, await tx.now(), TEST_CALL);
      await this.deliveries.write(tx, [{ id, endpointId, event: TEST_EVENT, body }]);
      return this.#sent(tx, by, 'webhook.tested', endpointId, id);
    });
  }

  again(by: PersonPrincipal, endpointId: WebhookEndpointId, id: WebhookDeliveryId): Promise<Result<WebhookDelivery>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const refused = await this.#refused(tx, endpointId);
      if (refused !== null) return err(refused);
      if ((await this.deliveries.find(tx, endpointId, id)) === null) return err(notFound('delivery'));
      if (!(await this.deliveries.resend(tx, id))) return err(stillPending);
      return this.#sent(tx, by, 'webhook.resent', endpointId, id);
    });
  }

  async #refused(tx: Tx, id: WebhookEndpointId): Promise<Failure | null> {
    await this.endpoints.lockForChange(tx);
    const endpoint = await this.endpoints.find(tx, id);
    if (endpoint === null) return notFound('webhook');
    if (!endpoint.enabled) return isOff;
    return (await this.secrets.holders(tx)).has(id) ? null : noSecret;
  }

  async #sent(
    tx: Tx,
    by: PersonPrincipal,
    action: 'webhook.tested' | 'webhook.resent',
    endpointId: WebhookEndpointId,
    id: WebhookDeliveryId,
  ): Promise<Result<WebhookDelivery>> {
    await this.jobs.enqueue(tx, 'webhook.deliver', id);
    await this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'basic',
      subject: { type: 'webhook', id: endpointId },
      payload: { delivery_id: id },
    });
    const written = await this.deliveries.find(tx, endpointId, id);
    return written === null ? err(notFound('delivery')) : ok(written);
  }
}

const isOff: Failure = {
  kind: 'conflict',
  code: 'webhook.off',
  message: 'This webhook is switched off.',
  action: 'Switch it on first.',
};

const noSecret: Failure = {
  kind: 'conflict',
  code: 'webhook.no_secret',
  message: 'This webhook waits for its secret. Without it, its receiver cannot verify an event.',
  action: 'Make its secret, and give it to the receiver.',
  details: { route: 'POST /v1/webhooks/{id}/secret' },
};

const stillPending: Failure = {
  kind: 'conflict',
  code: 'webhook.still_pending',
  message: 'This delivery is due or being tried now.',
  action: 'Wait until this attempt has ended.',
};
