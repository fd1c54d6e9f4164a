import { err, notFound, ok, type PageRequest, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import type {
  DeliveryFilter,
  DeliveryStore,
  EndpointSecrets,
  EndpointStore,
  LoggedDelivery,
  SecretSeen,
  WebhookDelivery,
} from './webhook.ports.js';

/** An endpoint with its secrets, without their values. */
export interface EndpointSeen {
  readonly endpoint: WebhookEndpoint;
  readonly secrets: readonly SecretSeen[];
}

/** Reads endpoints and their delivery logs. Failure: `resource.not_found`. */
export class ReadWebhooks {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: EndpointStore,
    private readonly secrets: EndpointSecrets,
    private readonly deliveries: DeliveryStore,
  ) {}

  all(tenantId: TenantId): Promise<readonly EndpointSeen[]> {
    return this.uow.run(tenantId, async (tx) => {
      const seen: EndpointSeen[] = [];
      for (const endpoint of await this.endpoints.all(tx))
        seen.push({ endpoint, secrets: await this.secrets.seen(tx, endpoint.id) });
      return seen;
    });
  }

  one(tenantId: TenantId, id: WebhookEndpointId): Promise<Result<EndpointSeen>> {
    return this.uow.run(tenantId, async (tx) => {
      const endpoint = await this.endpoints.find(tx, id);
      if (endpoint === null) return err(notFound('webhook'));
      return ok({ endpoint, secrets: await this.secrets.seen(tx, id) });
    });
  }

  /** Newest first. */
  log(
    tenantId: TenantId,
    id: WebhookEndpointId,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Result<readonly LoggedDelivery[]>> {
    return this.uow.run(tenantId, async (tx) => {
      if ((await this.endpoints.find(tx, id)) === null) return err(notFound('webhook'));
      return ok(await this.deliveries.list(tx, id, filter, page));
    });
  }

  delivery(tenantId: TenantId, endpointId: WebhookEndpointId, id: WebhookDeliveryId): Promise<Result<WebhookDelivery>> {
    return this.uow.run(tenantId, async (tx) => {
      if ((await this.endpoints.find(tx, endpointId)) === null) return err(notFound('webhook'));
      const found = await this.deliveries.find(tx, endpointId, id);
      return found === null ? err(notFound('delivery')) : ok(found);
    });
  }
}
