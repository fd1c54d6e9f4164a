import type { MayConnect, Receiver } from '#lib/connection';
import type { AuditSink, JobQueue, LogFollowing, Outbox, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import { SqlReportedCalls } from './adapters/sql-reported-calls.js';
import { SqlWebhookDeliveries } from './adapters/sql-webhook-deliveries.js';
import { SqlWebhookEndpoints } from './adapters/sql-webhook-endpoints.js';
import { SqlWebhookSecrets } from './adapters/sql-webhook-secrets.js';
import { ChangeEndpoint } from './application/change-endpoint.js';
import { DeliverWebhook } from './application/deliver-webhook.js';
import { ReadWebhooks } from './application/read-webhooks.js';
import { RemoveEndpoint } from './application/remove-endpoint.js';
import { RotateSecret } from './application/rotate-secret.js';
import { SendWebhook } from './application/send-webhook.js';
import { WebhookNotices } from './application/webhook-notices.js';
import type { DeliveryStore, EndpointSecrets, EndpointStore, ReportedCalls } from './application/webhook.ports.js';
import { WriteDeliveries } from './application/write-deliveries.js';

/** The stored endpoints with their secrets and deliveries, and the facts of calls that a delivery tells. */
export interface WebhookRows {
  readonly endpoints: EndpointStore;
  readonly secrets: EndpointSecrets;
  readonly deliveries: DeliveryStore;
  readonly reportedCalls: ReportedCalls;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createWebhookStore = (wrapping: KeyWrapping): WebhookRows & { readonly secrets: SealedElsewhere } => ({
  endpoints: new SqlWebhookEndpoints(),
  secrets: new SqlWebhookSecrets(wrapping),
  deliveries: new SqlWebhookDeliveries(),
  reportedCalls: new SqlReportedCalls(),
});

export interface WebhookDeps {
  readonly uow: UnitOfWork;
  readonly rows: WebhookRows;
  readonly jobs: JobQueue;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly twoPersonRule: TwoPersonRule;
  readonly following: LogFollowing;
  readonly receiver: Receiver;
  readonly mayConnect: MayConnect;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

/** Webhooks. */
export function createWebhooks(deps: WebhookDeps) {
  const { uow, jobs, audit, outbox, twoPersonRule, following, receiver, mayConnect } = deps;
  const { endpoints, secrets, deliveries, reportedCalls } = deps.rows;
  return {
    follower: new WriteDeliveries(endpoints, secrets, deliveries, reportedCalls, jobs),
    changeEndpoint: new ChangeEndpoint(uow, {
      ...{ endpoints, following, mayConnect, twoPersonRule, audit },
    }),
    removeEndpoint: new RemoveEndpoint(uow, endpoints, following, twoPersonRule, audit),
    rotateSecret: new RotateSecret(uow, endpoints, secrets, audit),
    readWebhooks: new ReadWebhooks(uow, endpoints, secrets, deliveries),
    sendWebhook: new SendWebhook(uow, endpoints, secrets, deliveries, jobs, audit),
    deliverWebhook: new DeliverWebhook(uow, { endpoints, secrets, deliveries, receiver, following, outbox, audit }),
    webhookNotices: new WebhookNotices(endpoints, deps.publicUrl),
  };
}
